/** A page of the CSV of hits, and the address of the next one. */
export interface HitPage {
  csv: string;
  next: string | undefined;
}

/** The address of the newest hits. */
export function firstPage(projectId: string): string {
  return `/v1/projects/${encodeURIComponent(projectId)}/analytics/hits.csv?limit=5000`;
}

/** The address in a `Link` header (RFC 8288); only its path and query: it is this service's. */
export function nextOf(link: string | null): string | undefined {
  const target = /<([^>]+)>\s*;[^,]*rel="?next"?/.exec(link ?? '')?.[1];
  if (target === undefined) return undefined;
  const { pathname, search } = new URL(target, 'https://any.invalid');
  return pathname + search;
}

/** All pages as one CSV: the header is that of the first. */
export async function allHits(
  projectId: string,
  read: (address: string) => Promise<HitPage>,
  onPage: (count: number) => void,
): Promise<string> {
  const parts: string[] = [];
  let address: string | undefined = firstPage(projectId);
  while (address !== undefined) {
    onPage(parts.length + 1);
    const { csv, next }: HitPage = await read(address);
    parts.push(parts.length === 0 ? csv : csv.replace(/^[^\n]*\n/, ''));
    address = next;
  }
  return parts.join('');
}

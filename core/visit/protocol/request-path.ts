/** A decoded request path: a file path without leading slash, and whether it names a folder. */
export interface RequestPath {
  /** `''` for the root; no leading or trailing slash; NFC. */
  path: string;
  folder: boolean;
}

// oxlint-disable-next-line no-control-regex -- the pattern must match control characters
const forbidden = /[\u0000-\u001f\u007f/\\]/;

/**
 * Reads a raw request path, or `undefined` where it cannot name a published file.
 *
 * Every segment is decoded once and on its own, so that `%2f`, `%5c` and `%2e%2e` never become
 * separators or parents: they only fail to name anything. Slashes that follow each other are one,
 * as at other hosts: pages often join addresses carelessly (`//contact`).
 */
export function readRequestPath(received: string): RequestPath | undefined {
  if (!received.startsWith('/')) return undefined;
  const raw = received.replaceAll(/\/{2,}/g, '/');
  const folder = raw.endsWith('/');
  const body = raw.slice(1, folder && raw.length > 1 ? -1 : undefined);
  if (body === '') return raw === '/' ? { path: '', folder: true } : undefined;
  const segments = body.split('/').map(decodeSegment);
  if (segments.some((segment) => segment === undefined)) return undefined;
  return { path: segments.join('/').normalize('NFC'), folder };
}

function decodeSegment(segment: string): string | undefined {
  try {
    const text = decodeURIComponent(segment);
    return text === '' || text === '.' || text === '..' || forbidden.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

/** A path as a URL path below the root, every segment percent-encoded: `a b/c` → `/a%20b/c`. */
export function toUrlPath(path: string): string {
  return `/${path.split('/').map(encodeURIComponent).join('/')}`;
}

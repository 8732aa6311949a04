import type { ZipPart } from './zip-parts.ts';

const isModel = ({ path }: ZipPart) => path.toLowerCase().endsWith('.model');

/**
 * The parts of a 3MF with ids that are unique in all of them: its loader keeps the objects of all parts under
 * their ids, but the Production Extension lets each part count from one (3MF Production Extension, section 2).
 * Properties that the loader does not know are left out, because it would leave their triangles out.
 */
export function joinModelParts(parts: readonly ZipPart[]): ZipPart[] {
  const models = parts.filter(isModel);
  const numbers = new Map(models.map(({ path }, index) => [withoutSlash(path), index]));
  return parts.map((part) => {
    const number = numbers.get(withoutSlash(part.path));
    if (number === undefined || !isModel(part)) return part;
    return changed(part, (xml) =>
      withKnownProperties(models.length > 1 ? withOwnIds(xml, number, numbers) : xml),
    );
  });
}

/** The same parts without materials, for a file whose materials cannot be read. */
export function withoutMaterials(parts: readonly ZipPart[]): ZipPart[] {
  return parts.map((part) =>
    isModel(part)
      ? changed(part, (xml) => xml.replace(/\s(?:pid|pindex|p[123])="[^"]*"/g, ''))
      : part,
  );
}

function changed(part: ZipPart, change: (xml: string) => string): ZipPart {
  return { ...part, bytes: new TextEncoder().encode(change(new TextDecoder().decode(part.bytes))) };
}

function withoutSlash(path: string): string {
  return path.replace(/^\//, '').toLowerCase();
}

function withOwnIds(xml: string, own: number, numbers: ReadonlyMap<string, number>): string {
  return xml.replace(/<[^<>?!/][^<>]*>/g, (tag) => {
    const [, path] = /\s(?:\w+:)?path\s*=\s*"([^"]*\.model)"/i.exec(tag) ?? [];
    const number = path === undefined ? own : (numbers.get(withoutSlash(path)) ?? own);
    return tag.replace(
      /(\s(id|objectid|pid|texid)\s*=\s*")(\d+)"/g,
      (_, start: string, name: string, id: string) => {
        const part = name === 'objectid' ? number : own;
        return `${start}${part}-${id}"`;
      },
    );
  });
}

function withKnownProperties(xml: string): string {
  const known = new Set<string | undefined>();
  const groups =
    /<(?:\w+:)?(?:basematerials|colorgroup|texture2dgroup)\s[^<>]*?\bid\s*=\s*"([^"]*)"/g;
  for (const [, id] of xml.matchAll(groups)) known.add(id);
  return xml.replace(/\spid="([^"]*)"/g, (whole, id: string) => (known.has(id) ? whole : ''));
}

import { type ZipEntry, readZipEntries } from './read-zip.ts';
import { readStart, ViewerError } from './fetch-file.ts';
import { attributeOf, plainXml } from './xml-tree.ts';

const mebibyte = 1024 * 1024;

/** Limits of an unpacked Office file. Libraries need a lot of memory for every byte of XML. */
export const officeLimits = {
  entries: 5000,
  bytes: 200 * mebibyte,
  xmlBytes: 40 * mebibyte,
} as const;

/** Limits of an unpacked archive. */
export type ArchiveLimits = { readonly [limit in keyof typeof officeLimits]: number };

/** A part of a ZIP archive, unpacked: what Office files and models are made of. */
export interface ZipPart {
  name: Uint8Array<ArrayBuffer>;
  path: string;
  bytes: Uint8Array<ArrayBuffer>;
}

const lessThan = 0x3c;
const exclamation = 0x21;
const question = 0x3f;
/** White space, and the bytes of a mark of UTF-8. */
const beforeXml: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]);

/** The texts of all parts that hold XML, whatever their names are: a relation may lead to any. */
export function xmlTexts(parts: readonly ZipPart[]): string[] {
  return parts.flatMap(({ bytes }) =>
    beginsAsXml(bytes) ? [new TextDecoder().decode(bytes)] : [],
  );
}

function beginsAsXml(bytes: Uint8Array): boolean {
  return bytes[bytes.findIndex((byte) => !beforeXml.has(byte))] === lessThan;
}

/**
 * Unpacks the parts whose path `isWanted`.
 *
 * The declared sizes are checked before the first byte is unpacked, and unpacking stops if an entry
 * exceeds its declared size. A document type is refused, because it could name other files or
 * expand entities; ECMA-376, part 2, section 8.4 forbids it in all parts. Links are the only
 * references to other hosts that remain.
 */
export async function unpackZipParts(
  bytes: Uint8Array<ArrayBuffer>,
  limits: ArchiveLimits,
  isWanted: (path: string) => boolean = () => true,
): Promise<ZipPart[]> {
  const entries = readZipEntries(bytes, limits.entries).filter(({ path }) => isWanted(path));
  if (sum(entries) > limits.bytes || sum(entries.filter(isXml)) > limits.xmlBytes) {
    throw new ViewerError('The file is too large to show here.');
  }
  const parts = [];
  for (const entry of entries) {
    parts.push({ name: entry.name, path: entry.path, bytes: await unpack(entry) });
  }
  return parts;
}

function sum(entries: readonly ZipEntry[]): number {
  return entries.reduce((total, { size }) => total + size, 0);
}

function isXml({ path }: ZipEntry): boolean {
  return /\.(?:xml|rels|vml|svg|model)$/i.test(path);
}

async function unpack(entry: ZipEntry): Promise<Uint8Array<ArrayBuffer>> {
  const stored = entry.deflated ? await inflate(entry) : entry.compressed;
  if (stored.length !== entry.size) throw damaged();
  const bytes = isXml(entry) ? asUtf8(stored) : stored;
  if (!isXml(entry) && !beginsAsXml(bytes)) return bytes;
  // The list of parts has one in files of OpenOffice 1 and 2; it declares no entities, and only we read it.
  if (isXml(entry) && includesDoctype(withoutOldDoctype(entry, bytes))) {
    // Programs keep a drawing as somebody drew it; no word of the document is in it.
    if (/\.svg$/i.test(entry.path)) return new Uint8Array();
    throw damaged();
  }
  const plain = asPlainXml(bytes);
  return entry.path.endsWith('.rels') ? withoutForeignParts(plain) : plain;
}

/** What stands in a comment, an instruction or a CDATA section would be counted as elements, or hide some. */
function asPlainXml(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (!isBehindLessThan(bytes, exclamation) && !isBehindLessThan(bytes, question)) return bytes;
  return new TextEncoder().encode(plainXml(new TextDecoder().decode(bytes)));
}

/** That of the declaration of XML, which has the second place, does not count. */
function isBehindLessThan(bytes: Uint8Array, sign: number): boolean {
  for (let at = bytes.indexOf(sign, 2); at !== -1; at = bytes.indexOf(sign, at + 1)) {
    if (bytes[at - 1] === lessThan) return true;
  }
  return false;
}

/** Office writes UTF-8, and reads UTF-16 too (ECMA-376, part 2, section 8.4); our readers take one of them. */
function asUtf8(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const mark = 256 * (bytes[0] ?? 0) + (bytes[1] ?? 0);
  if (mark !== 0xfffe && mark !== 0xfeff) return bytes;
  const text = new TextDecoder(mark === 0xfffe ? 'utf-16le' : 'utf-16be').decode(bytes);
  const named = text.replace(/^(<\?xml[^<>]*?)\sencoding\s*=\s*["'][^"']*["']/, '$1');
  return new TextEncoder().encode(named);
}

const oldDoctype = /<!DOCTYPE manifest:manifest PUBLIC "[^"<>]*" "Manifest\.dtd">/;

function withoutOldDoctype({ path }: ZipEntry, bytes: Uint8Array): Uint8Array {
  if (path !== 'META-INF/manifest.xml') return bytes;
  return new TextEncoder().encode(new TextDecoder().decode(bytes).replace(oldDoctype, ''));
}

async function inflate({ compressed, size }: ZipEntry): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([compressed])
    .stream()
    .pipeThrough(new DecompressionStream('deflate-raw'));
  const { bytes, cut } = await readStart(stream, size).catch(() => {
    throw damaged();
  });
  if (cut) throw damaged();
  return bytes;
}

function damaged(): ViewerError {
  return new ViewerError('The file is damaged, or its content does not match its name.');
}

/** `!` is rare in these files, so looking for it is quicker than decoding all of them. */
const mostMarks = 10_000;

function includesDoctype(bytes: Uint8Array): boolean {
  let marks = 0;
  for (let at = bytes.indexOf(exclamation); at !== -1; at = bytes.indexOf(exclamation, at + 1)) {
    marks += 1;
    if (marks > mostMarks) return hasDoctype(bytes);
    if (hasDoctype(bytes.subarray(Math.max(0, at - 4), at + 36))) return true;
  }
  return false;
}

/** A byte per character is enough to find ASCII, in UTF-16 as well once its zero bytes are gone. */
function hasDoctype(bytes: Uint8Array): boolean {
  const text = new TextDecoder('latin1').decode(bytes).replaceAll('\0', '');
  return text.includes('<!DOCTYPE') || text.includes('<!ENTITY');
}

const relationship = /<(?:[\w-]+:)?Relationship\s[^<>]*?(?:\/>|>\s*<\/(?:[\w-]+:)?Relationship>)/g;

/** What a part names: another part, or an address elsewhere (ECMA-376, part 2, section 8.5.3). */
interface Relationship {
  id: string;
  type: string;
  target: string;
}

/** The relationships of a part, from the part of {@link relationshipsPath}. */
export function relationshipsIn(bytes: Uint8Array | undefined): Relationship[] {
  const xml = new TextDecoder().decode(bytes);
  return Array.from(
    xml.matchAll(/<(?:[\w-]+:)?Relationship(\s[^<>]*)>/g),
    ([, attributes = '']) => {
      const valueOf = (name: string) => attributeOf({ attributes }, name) ?? '';
      return { id: valueOf('Id'), type: valueOf('Type'), target: valueOf('Target') };
    },
  );
}

/** The parts that a part in a folder names, by the ids of its relationships. */
export function relatedPaths(bytes: Uint8Array | undefined, folder: string): Map<string, string> {
  return new Map(
    relationshipsIn(bytes).map(({ id, target }) => [
      id,
      target.startsWith('/') ? target.slice(1) : `${folder}/${target}`,
    ]),
  );
}

/** Where the relationships of a part are (section 8.3.4). */
export function relationshipsPath(path: string): string {
  const name = path.lastIndexOf('/') + 1;
  return `${path.slice(0, name)}_rels/${path.slice(name)}.rels`;
}

/** A part's relationships without those to pictures, sounds and templates elsewhere (ECMA-376, part 2, section 8.5). */
function withoutForeignParts(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const text = new TextDecoder().decode(bytes);
  const kept = text.replace(relationship, (element) =>
    /\sTargetMode\s*=\s*["']External["']/.test(element) && !/\/hyperlink["']/.test(element)
      ? ''
      : element,
  );
  return new TextEncoder().encode(kept);
}

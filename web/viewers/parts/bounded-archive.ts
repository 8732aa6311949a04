import { type ArchiveEntry, archiveEntries } from './archive-entries.ts';
import { readStart } from './fetch-file.ts';
import { storedArchive } from './stored-archive.ts';
import { withoutForeignParts } from './relationships.ts';
import { Unshowable } from './unshowable.ts';

const mebibyte = 1024 * 1024;

/** What an Office file may hold, unpacked; libraries make many objects of every byte of XML. */
export const officeLimits = {
  entries: 5000,
  bytes: 200 * mebibyte,
  xmlBytes: 40 * mebibyte,
} as const;

/** What an archive may hold, unpacked. */
export type ArchiveLimits = { readonly [limit in keyof typeof officeLimits]: number };

/**
 * The same archive with nothing left to unpack, so that whatever reads it needs no more memory
 * than it says.
 *
 * The sizes that it declares are added up before a byte is unpacked, and unpacking stops where one
 * of them turns out to be a lie. A document type, which could name other files or grow by its
 * entities, is refused: ECMA-376, part 2, section 8.4 forbids it in all parts. Of what stands on
 * other hosts, links alone remain.
 */
export async function boundedArchive(
  bytes: Uint8Array<ArrayBuffer>,
  limits: ArchiveLimits = officeLimits,
): Promise<Uint8Array<ArrayBuffer>> {
  const entries = archiveEntries(bytes, limits.entries);
  if (sum(entries) > limits.bytes || sum(entries.filter(isXml)) > limits.xmlBytes) {
    throw new Unshowable('It is too large to be shown here.');
  }
  const files = [];
  for (const entry of entries) files.push({ name: entry.name, bytes: await unpack(entry) });
  return storedArchive(files);
}

function sum(entries: readonly ArchiveEntry[]): number {
  return entries.reduce((total, { size }) => total + size, 0);
}

function isXml({ path }: ArchiveEntry): boolean {
  return /\.(?:xml|rels|vml|svg)$/i.test(path);
}

async function unpack(entry: ArchiveEntry): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = entry.deflated ? await inflate(entry) : entry.packed;
  if (bytes.length !== entry.size) throw damaged();
  if (isXml(entry) && includesDoctype(bytes)) throw damaged();
  return entry.path.endsWith('.rels') ? withoutForeignParts(bytes) : bytes;
}

async function inflate({ packed, size }: ArchiveEntry): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  const { bytes, cut } = await readStart(stream, size).catch(() => {
    throw damaged();
  });
  if (cut) throw damaged();
  return bytes;
}

function damaged(): Unshowable {
  return new Unshowable('It is damaged, or not what its name says.');
}

/** A byte per character is enough to find ASCII, in UTF-16 as well once its zero bytes are gone. */
function includesDoctype(bytes: Uint8Array): boolean {
  const start = new TextDecoder('latin1').decode(bytes).replaceAll('\0', '');
  return start.includes('<!DOCTYPE') || start.includes('<!ENTITY');
}

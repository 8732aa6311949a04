import type { ProjectId } from '../../../contract/fields.ts';
import {
  contentHash,
  contentHasher,
  contentKey,
  placeOf,
  type StoreId,
} from '../../content/content-keys.ts';
import { baseName } from '../../content/file-name.ts';
import type { IncomingFile } from '../../content/incoming-file.ts';
import { isActive, isHtml, mediaType } from '../../content/media-type.ts';
import type { ContentStore, StoredObject } from '../../ports.ts';
import { cacheTag } from '../../visit/protocol/cache-policy.ts';
import { maxInlineBytes } from '../../visit/decide-visit.ts';
import type { FileEntry } from '../../visit/manifest.ts';
import type { KnownFiles } from './known-files.ts';
import { workPool } from './work-pool.ts';

/** Files above this are stored while they are read; smaller ones are held whole, a few at a time. */
export const maxHeldBytes = 8 * 1024 * 1024;
/** Enough to hide latency, few enough to stay within a function's sockets and memory. */
const underWay = { count: 16, bytes: 8 * maxHeldBytes };

/** Where an upload's files go, and which of them the project holds already. */
export interface StoringTarget {
  projectId: ProjectId;
  store: StoreId;
  known: KnownFiles;
  /** Whether its HTML files are pages of a site; in a bundle they are files like any other. */
  isSite: boolean;
  /** Told after every file. */
  onStored?(file: { size: number }): void;
}

/** Stores what the project does not hold yet, and gives every file's entry by its path. */
export async function storeFiles(
  content: Pick<ContentStore, 'put' | 'putLarge'>,
  target: StoringTarget,
  files: AsyncIterable<IncomingFile>,
): Promise<Map<string, FileEntry>> {
  const entries = new Map<string, FileEntry>();
  const pool = workPool(underWay);
  try {
    for await (const file of files) {
      // In the order of the upload, whatever finishes first.
      entries.set(file.path, { size: file.size, hash: '' });
      if (file.size > maxHeldBytes) {
        entries.set(file.path, await storeLarge(content, target, file));
        target.onStored?.(file);
        continue;
      }
      const bytes = await wholeOf(file);
      await pool.add(file.size, async () => {
        entries.set(file.path, await storeSmall(content, target, file.path, bytes));
        target.onStored?.(file);
      });
    }
  } finally {
    await pool.settled();
  }
  return entries;
}

async function storeSmall(
  content: Pick<ContentStore, 'put'>,
  target: StoringTarget,
  path: string,
  bytes: Uint8Array,
): Promise<FileEntry> {
  const entry = { size: bytes.length, hash: contentHash(bytes) };
  const known = findKnown(target, path, entry);
  if (known !== undefined) return known;
  await content.put({ ...objectFor(target, { path, size: bytes.length }), bytes });
  return entry;
}

/** What it is is known at its end only: one that the project holds already is not kept twice. */
async function storeLarge(
  content: Pick<ContentStore, 'putLarge'>,
  target: StoringTarget,
  file: IncomingFile,
): Promise<FileEntry> {
  const hasher = contentHasher();
  const hashed = async function* () {
    let read = 0;
    for await (const chunk of file.content) {
      hasher.update(chunk);
      read += chunk.length;
      yield chunk;
    }
    checkSize(file, read);
  };
  let entry: FileEntry = { size: file.size, hash: '' };
  await content.putLarge(objectFor(target, file), hashed(), () => {
    entry = { size: file.size, hash: hasher.digest() };
    const known = findKnown(target, file.path, entry);
    entry = known ?? entry;
    return known === undefined;
  });
  return entry;
}

/**
 * Where a file stands already. How a large one in which something could run is answered depends on
 * the version that stored it, so that each stores its own.
 */
function findKnown({ known }: StoringTarget, path: string, entry: FileEntry) {
  if (entry.size > maxInlineBytes && isActive(mediaType(path))) return undefined;
  return known.find(path, entry);
}

async function wholeOf(file: IncomingFile): Promise<Uint8Array> {
  const bytes = new Uint8Array(file.size);
  let filled = 0;
  for await (const chunk of file.content) {
    bytes.set(chunk, filled);
    filled += chunk.length;
  }
  checkSize(file, filled);
  return bytes;
}

/** The quota was asked for this many bytes. */
function checkSize({ path, size }: IncomingFile, read: number): void {
  if (read !== size) throw new Error(`${path} has ${read} bytes in place of ${size}`);
}

/**
 * Storage itself answers for a large file, under this type and without any policy of ours: one in
 * which something could run is then saved and not opened. A site's own pages are opened, and an
 * `<img>` is not concerned.
 */
function objectFor(
  { projectId, store, isSite }: StoringTarget,
  { path, size }: { path: string; size: number },
): Omit<StoredObject, 'bytes'> {
  const isPage = isSite && isHtml(path);
  const isKeptShut = size > maxInlineBytes && !isPage && isActive(mediaType(path));
  return {
    key: contentKey(projectId, placeOf(store, path)),
    contentType: mediaType(path),
    contentDisposition: isKeptShut ? attachmentAs(baseName(path)) : inlineAs(path),
    cacheTag: cacheTag(projectId),
  };
}

/** `inline` with the file's own name, so that saving a shown file keeps it (RFC 6266, RFC 8187). */
export function inlineAs(path: string): string {
  return `inline; ${named(baseName(path))}`;
}

/** `attachment` under this name. */
export function attachmentAs(name: string): string {
  return `attachment; ${named(name)}`;
}

function named(name: string): string {
  return `filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, percent)}`;
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

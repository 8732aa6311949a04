import type { ProjectId } from '../../../contract/fields.ts';
import {
  contentHash,
  contentHasher,
  contentKey,
  uploadLocation,
  type StoreId,
} from '../../content/content-keys.ts';
import { attachmentDisposition, inlineDisposition } from '../../content/content-disposition.ts';
import {
  baseName,
  canRunScripts,
  type ContentKind,
  hasKnownType,
  mediaType,
  typeOfFile,
} from '../../content/media-type.ts';
import { hasOwnEncoding } from '../../content/declared-encoding.ts';
import { type CodingOf, innerType, storedCodings } from '../../content/stored-coding.ts';
import { detectType } from '../../content/detect-type.ts';
import { decidingBytes, isText, isTransportStream } from '../../content/is-text.ts';
import { writtenFormat } from '../../content/written-format.ts';
import type { IncomingFile } from '../../content/prepare-upload.ts';
import { readBeginning } from '../../content/zip/byte-source.ts';
import type { SecretGuard } from '../../content/secrets/secret-guard.ts';
import { countedContent, type WrittenBytes } from '../../limits/written-bytes.ts';
import type { ContentStore, StoredObject } from '../../ports.ts';
import { cacheTag } from '../../visit/protocol/cache-policy.ts';
import { maxInlineBytes } from '../../visit/decide-visit.ts';
import type { FileEntry, Manifest } from '../../visit/manifest.ts';
import type { KnownFiles } from './known-files.ts';
import { type BrotliBudget, brotliBudget, startBrotli, storeBrotli } from './brotli-form.ts';
import { type PackWriter, packWriter, type SmallFile } from './pack-writer.ts';
import { moveOutOfSparsePacks } from './sparse-packs.ts';
import { workPool } from './work-pool.ts';

/**
 * Files above this are stored while they are read; smaller ones are buffered completely, a few at a
 * time.
 */
export const maxBufferedBytes = 8 * 1024 * 1024;
/** Enough to hide latency, few enough for a function's sockets and memory, which also hold a pack. */
const maxConcurrent = { count: 16, bytes: 4 * maxBufferedBytes };

/** Where the files of an upload are stored, and which files the project has already. */
export interface StoringTarget {
  projectId: ProjectId;
  store: StoreId;
  known: KnownFiles;
  /** Whether HTML files are pages of a site, not downloads of a bundle. */
  isSite: boolean;
  /** Files that the version also has, with their places in kept versions. */
  carried?: Manifest | undefined;
  /** Searches files that the project does not have yet for keys. */
  secrets?: SecretGuard | undefined;
  /** Counts what is written for an account. */
  written?: WrittenBytes | undefined;
  /** Called after every file. */
  onStored?(file: { size: number }): void;
}

/**
 * Stores the files that the project does not have yet, small ones together in packs. Returns the entry
 * of every file by its path, also of files of `carried` that were stored again.
 * @throws CodedError SECRETS_FOUND, RATE_LIMITED
 */
export async function storeFiles(
  store: StoringContent,
  target: StoringTarget,
  files: AsyncIterable<IncomingFile>,
): Promise<Map<string, FileEntry>> {
  const entries = new Map<string, FileEntry>();
  const content = countedContent(store, target.written);
  const pool = workPool(maxConcurrent);
  const objects = { ...target, objectFor: (file: NamedEntry) => objectFor(target, file) };
  const packs = packWriter(content, objects, entries);
  const storing = { ...target, brotliBudget: brotliBudget(), codingOf: storedCodings(), packs };
  try {
    for await (const file of files) {
      const { path } = file;
      // A placeholder, so that entries keep the order of the upload whatever the order of storing
      // is.
      entries.set(path, { size: file.size, hash: '' });
      if (file.size > maxBufferedBytes) {
        entries.set(
          path,
          await storeLarge({ ...content, putLarge: store.putLarge.bind(store) }, storing, file),
        );
        target.onStored?.(file);
        continue;
      }
      const bytes = await readWhole(file);
      await pool.add(file.size, async () => {
        const entry = await storeBuffered(content, storing, path, bytes);
        if (entry !== undefined) entries.set(path, entry);
        target.onStored?.(file);
      });
    }
  } finally {
    await pool.settled();
  }
  target.secrets?.requireNone();
  const shown = new Map([...(target.carried ?? []), ...entries]);
  await moveOutOfSparsePacks(store, target, shown, packs);
  await packs.finish();
  return entries;
}

type StoringContent = Pick<ContentStore, 'get' | 'put' | 'putLarge'>;
type Storing = StoringTarget & {
  brotliBudget: BrotliBudget;
  codingOf: CodingOf;
  packs: PackWriter;
};
type NamedEntry = { path: string; entry: FileEntry };

/**
 * The entry of a file; `undefined` if its pack is stored later, and for all files once a key was
 * found.
 */
async function storeBuffered(
  content: Pick<ContentStore, 'put'>,
  target: Storing,
  path: string,
  bytes: Uint8Array,
): Promise<FileEntry | undefined> {
  const entry = { size: bytes.length, hash: contentHash(bytes), ...kindOf(target, path, bytes) };
  const known = findKnown(target, path, entry);
  if (known !== undefined) return known;
  if (target.secrets?.hasFoundIn(path, bytes) === true) return undefined;
  if (entry.size <= maxInlineBytes) {
    await target.packs.add(withBrotli(target, { path, entry, bytes }).then((file) => [file]));
    return undefined;
  }
  const object = objectFor(target, { path, entry });
  await content.put({ ...object, bytes });
  const { isSite } = target;
  const form = startBrotli(target.brotliBudget, { path, size: bytes.length, isSite });
  try {
    await form?.write(bytes);
    return { ...entry, ...(await storeBrotli(content, object, form)) };
  } finally {
    form?.end();
  }
}

/** By the name and the first {@link decidingBytes} of a file, small or large. */
function kindOf({ codingOf }: Storing, path: string, start: Uint8Array): ContentKind {
  if (isTransportStream(path, start)) return { isVideo: true };
  if (hasOwnEncoding(path, start)) return { hasOwnEncoding: true };
  const coding = codingOf(path, start.subarray(0, decidingBytes));
  if (coding !== undefined) return { coding };
  const format = writtenFormat(path, start);
  if (format !== undefined) return { format };
  const isUnknown = detectType(path) === 'files' || !hasKnownType(path);
  return isUnknown && isText(start) ? { isText: true } : {};
}

async function withBrotli(
  { brotliBudget: budget, isSite }: Storing,
  { path, entry, bytes }: Omit<SmallFile, 'brotli'>,
): Promise<SmallFile> {
  const form = startBrotli(budget, { path, size: bytes.length, isSite });
  try {
    await form?.write(bytes);
    const brotli = await form?.bytes();
    const sized = { ...entry, ...(brotli && { brotliBytes: brotli.length }) };
    return { path, entry: sized, bytes, brotli };
  } finally {
    form?.end();
  }
}

/**
 * Stores a large file while it is read. Its hash is known only at the end; if the project has the
 * file already, the multipart upload is aborted then.
 */
async function storeLarge(
  content: Pick<ContentStore, 'put' | 'putLarge'>,
  target: Storing,
  file: IncomingFile,
): Promise<FileEntry> {
  const hasher = contentHasher();
  const { path, size } = file;
  const form = startBrotli(target.brotliBudget, { path, size, isSite: target.isSite });
  const { beginning, chunks } = await readBeginning(file.content);
  const entry: FileEntry = { size, hash: '', ...kindOf(target, path, beginning) };
  const hashed = async function* () {
    let read = 0;
    for await (const chunk of chunks) {
      hasher.update(chunk);
      await form?.write(chunk);
      read += chunk.length;
      yield chunk;
    }
    requireDeclaredSize(file, read);
  };
  const object = objectFor(target, { path, entry });
  let known: FileEntry | undefined;
  try {
    await target.written?.count(size);
    await content.putLarge(object, hashed(), () => {
      entry.hash = hasher.digest();
      known = findKnown(target, file.path, entry);
      return known === undefined;
    });
    if (known !== undefined) await target.written?.refund(size);
    return known ?? { ...entry, ...(await storeBrotli(content, object, form)) };
  } finally {
    form?.end();
  }
}

/**
 * The entry of a file that the project has already. A large file that can run scripts is stored by
 * each version: its `Content-Disposition` in S3 depends on whether the version is a site.
 */
function findKnown({ known }: StoringTarget, path: string, entry: FileEntry) {
  if (entry.size > maxInlineBytes && canRunScripts(mediaType(path))) return undefined;
  return known.find(path, entry);
}

async function readWhole(file: IncomingFile): Promise<Uint8Array> {
  const bytes = new Uint8Array(file.size);
  let filled = 0;
  for await (const chunk of file.content) {
    bytes.set(chunk, filled);
    filled += chunk.length;
  }
  requireDeclaredSize(file, filled);
  return bytes;
}

/** The quota was charged for the declared size. */
function requireDeclaredSize({ path, size }: IncomingFile, read: number): void {
  if (read !== size) throw new Error(`${path} has ${read} bytes instead of ${size}`);
}

/**
 * S3 sends large files itself, with this type and without the sandbox that the gate gives files of a bundle.
 * There, files that can run scripts are therefore downloads. An `<img>` ignores the disposition.
 */
function objectFor(
  { projectId, store, isSite }: StoringTarget,
  { path, entry }: NamedEntry,
): Omit<StoredObject, 'bytes'> {
  // Pages of a site load it as what it contains; in a bundle it is a download.
  const inner = isSite && entry.coding !== undefined ? innerType(path) : undefined;
  const contentType = inner ?? typeOfFile(path, entry);
  const isDownloadOnly = entry.size > maxInlineBytes && !isSite && canRunScripts(contentType);
  return {
    key: contentKey(projectId, uploadLocation(store, path)),
    contentType,
    ...(inner !== undefined && { contentEncoding: entry.coding }),
    contentDisposition: isDownloadOnly
      ? attachmentDisposition(baseName(path))
      : inlineDisposition(path),
    cacheTag: cacheTag(projectId),
  };
}

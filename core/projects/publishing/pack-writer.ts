import { createHash } from 'node:crypto';
import { contentKey, packLocation, type StoreKey } from '../../content/content-keys.ts';
import type { ContentStore, StoredObject } from '../../ports.ts';
import type { FileEntry } from '../../visit/manifest.ts';
import { cacheTag } from '../../visit/protocol/cache-policy.ts';

/**
 * A pack is stored once its files have this many bytes together. The file that exceeds the limit
 * and all brotli forms come on top, so a pack in memory may be larger.
 */
export const fullPackBytes = 32 * 1024 * 1024;

/** A small file that is being stored: its entry has size, hash and the length of its brotli form. */
export interface SmallFile {
  path: string;
  entry: FileEntry;
  bytes: Uint8Array;
  brotli: Uint8Array | undefined;
}

/** Stores the small files of an upload in packs, one object for all of them instead of one for each. */
export type PackWriter = ReturnType<typeof packWriter>;

/** Where packs are stored. */
export interface PackTarget extends StoreKey {
  /** The headers with which storage itself serves a file that is alone. */
  objectFor(file: { path: string; entry: FileEntry }): Omit<StoredObject, 'bytes'>;
}

/**
 * A writer of packs. It puts the entry of each file into `entries` when the file's pack is stored.
 * A file without a brotli form that is alone in its pack is stored as an object of its own: that is
 * also one write, and links to storage need an object for the file.
 */
export function packWriter(
  content: Pick<ContentStore, 'put'>,
  target: PackTarget,
  entries: Map<string, FileEntry>,
) {
  const open = openPack();
  let added: Promise<void> = Promise.resolve();
  const storeOpen = async () => {
    for (const [path, entry] of await storePack(content, target, open)) entries.set(path, entry);
    open.clear();
  };
  const append = async (files: readonly SmallFile[]) => {
    for (const file of files) {
      open.add(file);
      if (open.fileBytes() >= fullPackBytes) await storeOpen();
    }
  };
  return {
    /**
     * Adds files after those of earlier calls, in the order of the calls; resolves once they are in a
     * pack.
     */
    add(files: Promise<readonly SmallFile[]>) {
      // After a failure all later calls fail too, because each awaits the one before.
      added = Promise.all([files, added]).then(([one]) => append(one));
      return added;
    },
    /** Stores the last pack, after all calls of `add`. */
    async finish() {
      await added;
      if (open.files().length > 0) await storeOpen();
    },
  };
}

interface OpenPack {
  add(file: SmallFile): void;
  files(): readonly Pick<SmallFile, 'path' | 'entry'>[];
  /** The sum of their sizes, without brotli forms. */
  fileBytes(): number;
  /** The files, each followed by its brotli form. Changes with the next `add`. */
  bytes(): Buffer;
  clear(): void;
}

/** Collects each pack in the same memory, because buffers of earlier files and packs are released late. */
function openPack(): OpenPack {
  let memory = Buffer.alloc(0);
  let end = 0;
  let files: Pick<SmallFile, 'path' | 'entry'>[] = [];
  let fileBytes = 0;
  const write = (bytes: Uint8Array) => {
    if (end + bytes.length > memory.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(2 * memory.length, end + bytes.length));
      memory.copy(larger, 0, 0, end);
      memory = larger;
    }
    memory.set(bytes, end);
    end += bytes.length;
  };
  return {
    add({ path, entry, bytes, brotli }) {
      write(bytes);
      if (brotli !== undefined) write(brotli);
      files.push({ path, entry });
      fileBytes += entry.size;
    },
    files: () => files,
    fileBytes: () => fileBytes,
    bytes: () => memory.subarray(0, end),
    clear() {
      end = 0;
      files = [];
      fileBytes = 0;
    },
  };
}

async function storePack(
  content: Pick<ContentStore, 'put'>,
  target: PackTarget,
  open: Pick<OpenPack, 'files' | 'fileBytes' | 'bytes'>,
): Promise<[string, FileEntry][]> {
  const files = open.files();
  const bytes = open.bytes();
  const [first, ...others] = files;
  if (first !== undefined && others.length === 0 && first.entry.brotliBytes === undefined) {
    const { path, entry } = first;
    await content.put({ ...target.objectFor({ path, entry }), bytes });
    return [[path, entry]];
  }
  const storedAt = packLocation(target.store, digestOf(files), open.fileBytes());
  await content.put({
    key: contentKey(target.projectId, storedAt),
    bytes,
    // Never served by storage itself, so its type does not matter.
    contentType: 'application/octet-stream',
    cacheTag: cacheTag(target.projectId),
  });
  let end = 0;
  return files.map(({ path, entry }) => {
    const offset = end;
    end += entry.size + (entry.brotliBytes ?? 0);
    return [path, { ...entry, storedAt, offset }];
  });
}

/** A digest of the files' hashes, which are known already, so the bytes need not be read again. */
function digestOf(files: readonly Pick<SmallFile, 'entry'>[]): string {
  const hash = createHash('sha256');
  for (const { entry } of files)
    hash.update(`${entry.hash} ${entry.size} ${entry.brotliBytes ?? 0}\n`);
  return hash.digest('hex');
}

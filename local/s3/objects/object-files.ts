import { randomUUID } from 'node:crypto';
import {
  closeSync,
  createReadStream,
  fstatSync,
  openSync,
  readSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type * as z from 'zod';

/**
 * One file holds a body, followed by its record: `body · JSON · length of the JSON · magic`.
 *
 * The record comes last because its digests are known only after the last byte. It is in the same file
 * so that one rename publishes both. A rename without fsync survives a killed process, which is what
 * the local cloud guarantees, but not a power failure.
 */
const MAGIC = Buffer.from('SLIPOBJ1');
const FOOTER_BYTES = 4 + MAGIC.length;

/** A file that is being written and not yet published. */
export type Draft = ReturnType<typeof openDraft>;

/** A smaller body is written in one call, together with its record. */
const maxBufferedBytes = 64 * 1024;

/** A new draft in the directory of temporary files, which must be on the same file system. */
function openDraft(temporaryDir: string) {
  const path = join(temporaryDir, randomUUID());
  let state: 'open' | 'sealed' | 'published' = 'open';
  let handle: FileHandle | undefined;
  let pieces: Buffer[] = [];
  let bufferedBytes = 0;
  return {
    write: async (piece: Buffer) => {
      pieces.push(piece);
      bufferedBytes += piece.length;
      if (bufferedBytes <= maxBufferedBytes) return;
      handle ??= await open(path, 'wx');
      await handle.writeFile(Buffer.concat(pieces));
      pieces = [];
      bufferedBytes = 0;
    },
    /** Writes the record and closes the file. */
    async seal(record: object) {
      const json = Buffer.from(JSON.stringify(record));
      const length = Buffer.alloc(4);
      length.writeUInt32BE(json.length);
      const rest = Buffer.concat([...pieces, json, length, MAGIC]);
      if (handle === undefined) writeFileSync(path, rest, { flag: 'wx' });
      else {
        await handle.writeFile(rest);
        await handle.close();
      }
      state = 'sealed';
    },
    /** Publishes the file atomically and replaces an existing one. Synchronous on purpose. */
    publish(target: string) {
      renameSync(path, target);
      state = 'published';
    },
    /** Removes the file unless it was published. */
    async discard() {
      if (state === 'published') return;
      if (state === 'open') await handle?.close();
      await rm(path, { force: true });
    },
  };
}

/** Calls `use` with a draft and always removes an unpublished draft. */
export async function withDraft<T>(temporaryDir: string, use: (draft: Draft) => Promise<T>) {
  const draft = openDraft(temporaryDir);
  try {
    return await use(draft);
  } finally {
    await draft.discard();
  }
}

/** Reads the record at the end of a file; throws if the file is damaged. */
export function readRecord<T>(path: string, schema: z.ZodType<T>): T {
  const fd = openSync(path, 'r');
  try {
    const { size } = fstatSync(fd);
    const footer = readAt(fd, Math.max(0, size - FOOTER_BYTES), FOOTER_BYTES);
    if (size < FOOTER_BYTES || !footer.subarray(4).equals(MAGIC)) {
      throw new Error(`The stored object file ${path} is damaged.`);
    }
    const length = footer.readUInt32BE(0);
    const json = readAt(fd, size - FOOTER_BYTES - length, length);
    return schema.parse(JSON.parse(json.toString()));
  } finally {
    closeSync(fd);
  }
}

function readAt(fd: number, position: number, length: number): Buffer {
  const buffer = Buffer.alloc(length);
  readSync(fd, buffer, 0, length, position);
  return buffer;
}

/**
 * Streams a range of a file's body, both ends inclusive.
 *
 * The file is opened immediately: a caller who looked up its record in the same tick gets the matching
 * bytes, even if another version is published before the first read.
 */
export function readBody(path: string, start: number, end: number): Readable {
  if (end < start) return Readable.from([]);
  return createReadStream(path, { fd: openSync(path, 'r'), start, end, autoClose: true });
}

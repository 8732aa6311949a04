import { once } from 'node:events';
import { constants, createBrotliCompress } from 'node:zlib';
import { brotliLocation } from '../../content/content-keys.ts';
import { isHtml, mediaType } from '../../content/media-type.ts';
import type { ContentStore, StoredObject } from '../../ports.ts';
import { maxInlineBytes } from '../../visit/decide-visit.ts';
import type { FileEntry } from '../../visit/manifest.ts';
import { brotliQuality, isCompressible } from '../../visit/protocol/content-coding.ts';

/** Limits the size of a file to compress: its brotli form stays in memory until the file is stored. */
const maxInputBytes = 64 * 1024 * 1024;
/** Limits the bytes to compress in one upload: brotli takes about a second for 40 MB. */
const maxTogetherBytes = 256 * 1024 * 1024;
/** A brotli form that saves less than a tenth is not worth a second object. */
const worthwhileRatio = 0.9;

/** How many bytes of an upload may still be compressed. */
export interface BrotliBudget {
  left: number;
}

export function brotliBudget(): BrotliBudget {
  return { left: maxTogetherBytes };
}

/** The brotli form of a file that is being stored. */
export interface BrotliForm {
  write(chunk: Uint8Array): Promise<void>;
  /** The compressed bytes; `undefined` if the file hardly shrinks. */
  bytes(): Promise<Buffer | undefined>;
  /** Releases the compressor, also after a failure. */
  end(): void;
}

/** The gate compresses a smaller file in less than a millisecond, which costs less than a second object. */
export const minBrotliBytes = 32 * 1024;

/**
 * Begins to compress a file that shrinks, so that the gate need not compress it at each view; `undefined`
 * for all others. Pages of a site are never sent as they are stored, because the gate edits their
 * heads: only those above `maxInlineBytes`, which it cannot edit, get a brotli form.
 */
export function startBrotli(
  budget: BrotliBudget,
  { path, size, isSite }: { path: string; size: number; isSite: boolean },
): BrotliForm | undefined {
  if (size < minBrotliBytes || size > Math.min(maxInputBytes, budget.left)) return undefined;
  if (isSite && isHtml(path) && size <= maxInlineBytes) return undefined;
  if (!isCompressible(mediaType(path), size)) return undefined;
  budget.left -= size;
  return brotli(size);
}

function brotli(size: number): BrotliForm {
  const { BROTLI_PARAM_LGWIN, BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants;
  const stream = createBrotliCompress({
    params: {
      [BROTLI_PARAM_QUALITY]: brotliQuality,
      [BROTLI_PARAM_SIZE_HINT]: size,
      // Up to sixteen files are compressed at once, so each has a window no larger than its file,
      // to save memory.
      [BROTLI_PARAM_LGWIN]: Math.min(
        constants.BROTLI_DEFAULT_WINDOW,
        Math.ceil(Math.log2(size)) + 1,
      ),
    },
  });
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  return {
    async write(chunk) {
      // Copied: the source may reuse the chunk's buffer.
      if (!stream.write(Buffer.from(chunk))) await once(stream, 'drain');
    },
    async bytes() {
      stream.end();
      await once(stream, 'end');
      const compressed = Buffer.concat(chunks);
      return compressed.length <= size * worthwhileRatio ? compressed : undefined;
    },
    end: () => void stream.destroy(),
  };
}

/** Stores the brotli form beside its file. Returns the field of the manifest for it. */
export async function storeBrotli(
  content: Pick<ContentStore, 'put'>,
  object: Omit<StoredObject, 'bytes'>,
  form: BrotliForm | undefined,
): Promise<Pick<FileEntry, 'brotliBytes'>> {
  const bytes = await form?.bytes();
  if (bytes === undefined) return {};
  const key = brotliLocation(object.key);
  await content.put({ ...object, key, bytes, contentEncoding: 'br' });
  return { brotliBytes: bytes.length };
}

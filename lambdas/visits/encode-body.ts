import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Coding } from '../../core/visit/protocol/choose-encoding.ts';

/** Qualities at which a page is packed in a few milliseconds. */
const brotliQuality = 5;
const gzipLevel = 6;

/** A body as it goes on its way. */
export async function encodeBody(bytes: Uint8Array, coding: Coding | undefined): Promise<Buffer> {
  if (coding === undefined) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (coding === 'gzip') return promisify(gzip)(bytes, { level: gzipLevel });
  return promisify(brotliCompress)(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength,
    },
  });
}

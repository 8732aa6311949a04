import { type ByteReader, byteReader } from './byte-reader.ts';
import type { ChunkSignatures } from '../signing/chunk-signatures.ts';
import { S3Error } from '../protocol/s3-error.ts';

const CRLF = Buffer.from('\r\n');
const MAX_LINE_BYTES = 4096;
const MIN_CHUNK_BYTES = 8192;
const MAX_TRAILERS = 16;

/** How to read an `aws-chunked` body. */
export interface ChunkedRule {
  hasTrailer: boolean;
  signatures: ChunkSignatures | undefined;
  /** Filled with the trailing headers once the last byte has been read. */
  trailers: Map<string, string>;
}

/**
 * Decodes an `aws-chunked` body.
 *
 * A chunk's signature is checked after its bytes have been passed on: the bytes are valid only if the
 * generator ends without throwing.
 */
export async function* decodeChunks(
  source: AsyncIterable<Buffer>,
  rule: ChunkedRule,
): AsyncGenerator<Buffer> {
  const reader = byteReader(source);
  let isPreviousShort = false;
  for (;;) {
    const chunk = parseChunkLine(await readLine(reader), rule.signatures !== undefined);
    if (chunk.size > 0 && isPreviousShort) throw new S3Error('InvalidChunkSizeError');
    isPreviousShort = chunk.size < MIN_CHUNK_BYTES;
    yield* chunkBytes(reader, chunk.size, rule.signatures);
    rule.signatures?.endChunk(chunk.signature);
    if (chunk.size === 0) break;
    if ((await readLine(reader)) !== '') throw new S3Error('IncompleteBody');
  }
  await readTrailers(reader, rule);
  if ((await reader.read(1)).length > 0) throw new S3Error('IncompleteBody');
}

async function* chunkBytes(
  reader: ByteReader,
  size: number,
  signatures: ChunkSignatures | undefined,
): AsyncGenerator<Buffer> {
  for (let left = size; left > 0; ) {
    const piece = await reader.read(left);
    if (piece.length === 0) throw new S3Error('IncompleteBody');
    left -= piece.length;
    signatures?.update(piece);
    yield piece;
  }
}

function parseChunkLine(line: string, isSigned: boolean): { size: number; signature: string } {
  const match = /^([0-9a-f]{1,10})(?:;chunk-signature=([0-9a-f]{64}))?$/i.exec(line);
  const signature = match?.[2] ?? '';
  if (match === null || (isSigned && signature === '')) throw new S3Error('IncompleteBody');
  return { size: Number.parseInt(match[1] ?? '', 16), signature };
}

async function readTrailers(reader: ByteReader, rule: ChunkedRule): Promise<void> {
  let canonical = '';
  for (let line = await readLine(reader); line !== ''; line = await readLine(reader)) {
    const colon = line.indexOf(':');
    if (!rule.hasTrailer || colon < 1 || rule.trailers.size >= MAX_TRAILERS) {
      throw new S3Error('MalformedTrailerError');
    }
    const name = line.slice(0, colon).trim().toLowerCase();
    const value = line.slice(colon + 1).trim();
    rule.trailers.set(name, value);
    if (name !== 'x-amz-trailer-signature') canonical += `${name}:${value}\n`;
  }
  if (rule.hasTrailer && rule.signatures !== undefined) {
    rule.signatures.endTrailers(canonical, rule.trailers.get('x-amz-trailer-signature') ?? '');
  }
}

async function readLine(reader: ByteReader): Promise<string> {
  const line = await reader.readShort(CRLF, MAX_LINE_BYTES, () => new S3Error('IncompleteBody'));
  return line.toString('latin1').trim();
}

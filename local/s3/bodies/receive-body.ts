import { createHash, type Hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { S3Error } from '../protocol/s3-error.ts';
import type { Authenticated } from '../protocol/authenticate.ts';
import { declaredCrc32 } from './checksums.ts';

/** An incoming body with the values that the request declares about it. */
export interface IncomingBody {
  pieces: AsyncIterable<Buffer>;
  size: number;
  /** Hex, from `x-amz-content-sha256`. */
  sha256?: string | undefined;
  /** Base64, from `x-amz-checksum-crc32`. */
  crc32?: string | undefined;
}

/** A received body; all declared values were checked. */
export interface ReceivedBody {
  size: number;
  /** Hex. */
  md5: string;
  /** Base64; of a body that declares one. */
  crc32?: string | undefined;
}

/** Receives bytes that are not yet verified. */
export type Sink = (piece: Buffer) => Promise<void>;

/** The body of an authenticated request with the claims of its headers. */
export function incomingBody(
  pieces: AsyncIterable<Buffer>,
  { headers, sha256 }: Pick<Authenticated, 'headers' | 'sha256'>,
): IncomingBody {
  const size = bodyLength(headers['content-length']);
  return { pieces, size, sha256, crc32: declaredCrc32(headers) };
}

/**
 * Passes a body to the sink and verifies length, SHA-256 and checksum.
 *
 * Throws if anything is wrong, so a caller that publishes only after it returned never stores a
 * truncated or damaged body.
 */
export async function receiveBody(body: IncomingBody, sink: Sink): Promise<ReceivedBody> {
  let sum = 0;
  const md5 = createHash('md5');
  const sha256 = body.sha256 === undefined ? undefined : createHash('sha256');
  let size = 0;
  for await (const piece of body.pieces) {
    size += piece.length;
    if (size > body.size) throw new S3Error('IncompleteBody');
    md5.update(piece);
    sha256?.update(piece);
    if (body.crc32 !== undefined) sum = crc32(piece, sum);
    await sink(piece);
  }
  if (size !== body.size) throw new S3Error('IncompleteBody');
  assertDigests(body, { sha256, sum });
  return { size, md5: md5.digest('hex'), crc32: body.crc32 };
}

function assertDigests(
  body: IncomingBody,
  { sha256, sum }: { sha256: Hash | undefined; sum: number },
): void {
  if (sha256 !== undefined && sha256.digest('hex') !== body.sha256) {
    throw new S3Error('XAmzContentSHA256Mismatch');
  }
  if (body.crc32 === undefined || Buffer.from(body.crc32, 'base64').readUInt32BE() === sum) return;
  throw new S3Error('BadDigest', 'The CRC32 you specified did not match the calculated checksum.');
}

/** A small body in memory, for XML; `EntityTooLarge` beyond the limit. */
export async function receiveSmallBody(body: IncomingBody, maxBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  await receiveBody(body, async (piece) => {
    size += piece.length;
    if (size > maxBytes) throw new S3Error('EntityTooLarge');
    pieces.push(piece);
  });
  return Buffer.concat(pieces);
}

function bodyLength(header: string | undefined): number {
  if (header === undefined) throw new S3Error('MissingContentLength');
  if (!/^\d{1,15}$/.test(header)) throw new S3Error('InvalidArgument', 'Invalid content length');
  return Number(header);
}

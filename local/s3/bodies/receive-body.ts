import { createHash, type Hash } from 'node:crypto';
import { S3Error } from '../protocol/s3-error.ts';
import type { Authenticated } from '../protocol/authenticate.ts';
import { type Checksum, type ChecksumAlgorithm, declaredCrc32, startDigest } from './checksums.ts';

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
  checksum: Checksum;
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
 * truncated or damaged body. Without a checksum of its own it gets one of the algorithm `fallback`.
 */
export async function receiveBody(
  body: IncomingBody,
  sink: Sink,
  fallback: ChecksumAlgorithm = 'CRC64NVME',
): Promise<ReceivedBody> {
  const algorithm = body.crc32 === undefined ? fallback : 'CRC32';
  const digest = startDigest(algorithm);
  const md5 = createHash('md5');
  const sha256 = body.sha256 === undefined ? undefined : createHash('sha256');
  let size = 0;
  for await (const piece of body.pieces) {
    size += piece.length;
    if (size > body.size) throw new S3Error('IncompleteBody');
    md5.update(piece);
    sha256?.update(piece);
    digest.update(piece);
    await sink(piece);
  }
  if (size !== body.size) throw new S3Error('IncompleteBody');
  const value = digest.digest().toString('base64');
  assertDigests(body, { sha256, value });
  return { size, md5: md5.digest('hex'), checksum: { algorithm, value } };
}

function assertDigests(
  body: IncomingBody,
  { sha256, value }: { sha256: Hash | undefined; value: string },
): void {
  if (sha256 !== undefined && sha256.digest('hex') !== body.sha256) {
    throw new S3Error('XAmzContentSHA256Mismatch');
  }
  if (body.crc32 === undefined || body.crc32 === value) return;
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

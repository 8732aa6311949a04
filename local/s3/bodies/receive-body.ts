import { createHash, type Hash } from 'node:crypto';
import type { Authenticated } from '../signing/authenticate.ts';
import {
  assertChecksumShape,
  type ChecksumAlgorithm,
  checksumHeader,
  type DeclaredChecksum,
  declaredChecksum,
  startDigest,
} from './checksums.ts';
import { chunkSignatures } from '../signing/chunk-signatures.ts';
import { decodeChunks } from './chunked-body.ts';
import { S3Error } from '../protocol/s3-error.ts';

/** An incoming body with the values that the request declares about it. */
export interface IncomingBody {
  pieces: AsyncIterable<Buffer>;
  size?: number;
  /** Hex, from `x-amz-content-sha256`. */
  sha256?: string;
  /** Hex, from `Content-MD5`. */
  md5?: string;
  checksum?: DeclaredChecksum;
  /** Filled while `pieces` is read. */
  trailers: Map<string, string>;
}

/** A received body; all declared values were checked. */
export interface ReceivedBody {
  size: number;
  /** Hex. */
  md5: string;
  checksum: { algorithm: ChecksumAlgorithm; value: string };
}

/** Receives bytes that are not yet verified. */
export type Sink = (piece: Buffer) => Promise<void>;

/** The body of an authenticated request with the claims of its headers. */
export function incomingBody(body: AsyncIterable<Buffer>, auth: Authenticated): IncomingBody {
  const { headers, payload } = auth;
  const trailers = new Map<string, string>();
  const md5 = contentMd5(headers['content-md5']);
  const checksum = declaredChecksum(headers);
  if (
    checksum &&
    checksum.value === undefined &&
    !(payload.kind === 'chunked' && payload.hasTrailer)
  ) {
    throw new S3Error('InvalidRequest', 'x-amz-trailer needs a streaming payload with a trailer');
  }
  const isChunked = payload.kind === 'chunked';
  return {
    pieces: isChunked
      ? decodeChunks(body, {
          hasTrailer: payload.hasTrailer,
          signatures: payload.seed && chunkSignatures(payload.seed),
          trailers,
        })
      : body,
    size: bodyLength(headers[isChunked ? 'x-amz-decoded-content-length' : 'content-length']),
    ...(payload.kind === 'literal' && { sha256: payload.sha256 }),
    ...(md5 !== undefined && { md5 }),
    ...(checksum && { checksum }),
    trailers,
  };
}

/**
 * Passes a body to the sink and verifies length, SHA-256, MD5 and checksum.
 *
 * Throws if anything is wrong, so a caller that publishes only after it returned never stores a
 * truncated or damaged body.
 */
export async function receiveBody(
  body: IncomingBody,
  sink: Sink,
  fallback: ChecksumAlgorithm = 'CRC64NVME',
): Promise<ReceivedBody> {
  const algorithm = body.checksum?.algorithm ?? fallback;
  const digest = startDigest(algorithm);
  const md5 = createHash('md5');
  const sha256 = body.sha256 === undefined ? undefined : createHash('sha256');
  let size = 0;
  for await (const piece of body.pieces) {
    size += piece.length;
    if (body.size !== undefined && size > body.size) throw new S3Error('IncompleteBody');
    md5.update(piece);
    sha256?.update(piece);
    digest.update(piece);
    await sink(piece);
  }
  if (body.size !== undefined && size !== body.size) throw new S3Error('IncompleteBody');
  const value = digest.digest().toString('base64');
  assertSha256(body, sha256);
  const received = { size, md5: md5.digest('hex'), checksum: { algorithm, value } };
  assertDigests(body, received);
  return received;
}

function assertSha256(body: IncomingBody, sha256: Hash | undefined): void {
  if (sha256 !== undefined && sha256.digest('hex') !== body.sha256) {
    throw new S3Error('XAmzContentSHA256Mismatch');
  }
}

function assertDigests(body: IncomingBody, received: ReceivedBody): void {
  if (body.md5 !== undefined && body.md5 !== received.md5) {
    throw new S3Error('BadDigest', 'The Content-MD5 you specified did not match what we received.');
  }
  const expected = expectedChecksum(body);
  if (expected !== undefined && expected !== received.checksum.value) {
    throw new S3Error(
      'BadDigest',
      `The ${received.checksum.algorithm} you specified did not match the calculated checksum.`,
    );
  }
}

function expectedChecksum(body: IncomingBody): string | undefined {
  if (body.checksum?.value !== undefined) return body.checksum.value;
  if (body.checksum === undefined) return undefined;
  const value = body.trailers.get(checksumHeader(body.checksum.algorithm));
  if (value === undefined) throw new S3Error('MalformedTrailerError');
  assertChecksumShape(body.checksum.algorithm, value);
  return value;
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

function contentMd5(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const bytes = Buffer.from(header, 'base64');
  if (bytes.length !== 16 || bytes.toString('base64') !== header)
    throw new S3Error('InvalidDigest');
  return bytes.toString('hex');
}

import { createHash } from 'node:crypto';
import { S3Error } from '../protocol/s3-error.ts';
import { type Credential, sameSignature, scopeOf, sha256Hex, signText } from './sigv4.ts';

/** Checks the chain of chunk signatures of `STREAMING-AWS4-HMAC-SHA256-PAYLOAD`. */
export interface ChunkSignatures {
  /** Adds the next piece of the current chunk. */
  update(piece: Buffer): void;
  /** Ends the current chunk: `SignatureDoesNotMatch` unless its signature is right. */
  endChunk(given: string): void;
  /** The same for the trailing headers, written as `name:value\n`. */
  endTrailers(canonicalTrailers: string, given: string): void;
}

/** The start of the chain: the signature of the request's headers. */
export interface ChunkSeed {
  key: Buffer;
  amzDate: string;
  credential: Credential;
  seedSignature: string;
}

/** A chain of chunk signatures; each covers the previous one, so chunks cannot be reordered. */
export function chunkSignatures(seed: ChunkSeed): ChunkSignatures {
  let previous = seed.seedSignature;
  let hash = createHash('sha256');

  function check(kind: 'PAYLOAD' | 'TRAILER', digests: string[], given: string): void {
    const text = [
      `AWS4-HMAC-SHA256-${kind}`,
      seed.amzDate,
      scopeOf(seed.credential),
      previous,
      ...digests,
    ].join('\n');
    const expected = signText(seed.key, text);
    if (!sameSignature(expected, given)) throw new S3Error('SignatureDoesNotMatch');
    previous = expected;
  }

  return {
    update: (piece) => void hash.update(piece),
    endChunk(given) {
      check('PAYLOAD', [sha256Hex(''), hash.digest('hex')], given);
      hash = createHash('sha256');
    },
    endTrailers: (canonicalTrailers, given) =>
      check('TRAILER', [sha256Hex(canonicalTrailers)], given),
  };
}

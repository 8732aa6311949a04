import { createHash } from 'node:crypto';
import { S3Error } from '../protocol/s3-error.ts';
import { type Credential, sameSignature, scopeOf, sha256Hex, signText } from './sigv4.ts';

/** Checks the chain of chunk signatures of `STREAMING-AWS4-HMAC-SHA256-PAYLOAD`. */
export interface ChunkSignatures {
  /** The next piece of the present chunk. */
  update(piece: Buffer): void;
  /** Ends the present chunk: `SignatureDoesNotMatch` unless it carries the right signature. */
  endChunk(given: string): void;
  /** The same for the trailing headers, written as `name:value\n`. */
  endTrailers(canonicalTrailers: string, given: string): void;
}

/** What the chain starts from: the signature of the request's headers. */
export interface ChunkSeed {
  key: Buffer;
  amzDate: string;
  credential: Credential;
  seedSignature: string;
}

/** A chain of chunk signatures; each signs the one before it, so no chunk can be moved. */
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

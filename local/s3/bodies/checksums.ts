import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import * as z from 'zod';
import { crc32c, crc64nvme } from './crc.ts';
import { S3Error } from '../protocol/s3-error.ts';

/** The checksum algorithms of S3. */
export const ChecksumAlgorithm = z.enum(['CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256']);
export type ChecksumAlgorithm = z.infer<typeof ChecksumAlgorithm>;

/** A stored checksum: base64, of the whole object or (`COMPOSITE`) of its parts' digests with `-N`. */
export const Checksum = z.object({
  algorithm: ChecksumAlgorithm,
  value: z.string(),
  type: z.enum(['FULL_OBJECT', 'COMPOSITE']),
});
export type Checksum = z.infer<typeof Checksum>;

/** A digest that is being computed. */
export interface Digest {
  update(bytes: Uint8Array): void;
  digest(): Buffer;
}

const LENGTHS: Record<ChecksumAlgorithm, number> = {
  CRC32: 4,
  CRC32C: 4,
  CRC64NVME: 8,
  SHA1: 20,
  SHA256: 32,
};

/** A new computation of one of the algorithms. */
export function startDigest(algorithm: ChecksumAlgorithm): Digest {
  switch (algorithm) {
    case 'CRC32':
      return crc32Digest();
    case 'CRC32C':
      return crc32c();
    case 'CRC64NVME':
      return crc64nvme();
    case 'SHA1':
    case 'SHA256':
      return createHash(algorithm.toLowerCase());
  }
}

function crc32Digest(): Digest {
  let value = 0;
  return {
    update(bytes) {
      value = crc32(bytes, value);
    },
    digest() {
      const out = Buffer.alloc(4);
      out.writeUInt32BE(value);
      return out;
    },
  };
}

/** `x-amz-checksum-crc32` and so on. */
export function checksumHeader(algorithm: ChecksumAlgorithm): string {
  return `x-amz-checksum-${algorithm.toLowerCase()}`;
}

/** `ChecksumCRC32` and so on, the element names in XML bodies. */
export function checksumElement(algorithm: ChecksumAlgorithm): string {
  return `Checksum${algorithm}`;
}

/** The algorithm of a header that contains a checksum. */
export function algorithmOfHeader(name: string): ChecksumAlgorithm | undefined {
  return ChecksumAlgorithm.options.find((algorithm) => checksumHeader(algorithm) === name);
}

/** The algorithm that a request names, case-insensitively, or `InvalidRequest`. */
export function parseAlgorithm(name: string): ChecksumAlgorithm {
  const parsed = ChecksumAlgorithm.safeParse(name.toUpperCase());
  if (parsed.success) return parsed.data;
  throw new S3Error('InvalidRequest', 'Checksum algorithm provided is unsupported.');
}

/** Refuses a value that is not the base64 of a digest of that algorithm. */
export function assertChecksumShape(algorithm: ChecksumAlgorithm, value: string): void {
  const bytes = Buffer.from(value, 'base64');
  if (bytes.length !== LENGTHS[algorithm] || bytes.toString('base64') !== value) {
    throw new S3Error(
      'InvalidRequest',
      `Value for ${checksumHeader(algorithm)} header is invalid.`,
    );
  }
}

/** The checksum that a request declares for its body; without a value it follows in a trailer. */
export interface DeclaredChecksum {
  algorithm: ChecksumAlgorithm;
  value: string | undefined;
}

/** The one checksum that the headers declare, if any. */
export function declaredChecksum(headers: Record<string, string>): DeclaredChecksum | undefined {
  const declared: DeclaredChecksum[] = [];
  for (const algorithm of ChecksumAlgorithm.options) {
    const value = headers[checksumHeader(algorithm)];
    if (value !== undefined) {
      assertChecksumShape(algorithm, value);
      declared.push({ algorithm, value });
    }
  }
  const trailer = headers['x-amz-trailer'];
  if (trailer !== undefined)
    declared.push({ algorithm: trailerAlgorithm(trailer), value: undefined });
  const [first, ...others] = declared;
  if (others.length > 0) {
    throw new S3Error(
      'InvalidRequest',
      'Expecting a single x-amz-checksum- header. Multiple checksum Types are not allowed.',
    );
  }
  assertNamedAlgorithm(headers['x-amz-sdk-checksum-algorithm'], first?.algorithm);
  return first;
}

function trailerAlgorithm(trailer: string): ChecksumAlgorithm {
  const algorithm = algorithmOfHeader(trailer.trim().toLowerCase());
  if (algorithm !== undefined) return algorithm;
  throw new S3Error(
    'InvalidRequest',
    'The value specified in the x-amz-trailer header is not supported',
  );
}

function assertNamedAlgorithm(
  named: string | undefined,
  given: ChecksumAlgorithm | undefined,
): void {
  if (named === undefined) return;
  if (given === undefined) {
    throw new S3Error(
      'InvalidRequest',
      'x-amz-sdk-checksum-algorithm specified, but no corresponding x-amz-checksum-* or x-amz-trailer headers were found.',
    );
  }
  if (parseAlgorithm(named) !== given) {
    throw new S3Error(
      'InvalidRequest',
      'Value for x-amz-sdk-checksum-algorithm header is invalid.',
    );
  }
}

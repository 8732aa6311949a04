import { crc32 } from 'node:zlib';
import * as z from 'zod';
import { S3Error } from '../protocol/s3-error.ts';
import { crc64nvme } from './crc64nvme.ts';

/** CRC32 is what the SDK sends; S3 itself computes CRC64NVME of a body that comes without a checksum. */
export const ChecksumAlgorithm = z.enum(['CRC32', 'CRC64NVME']);
export type ChecksumAlgorithm = z.infer<typeof ChecksumAlgorithm>;

/** The checksum of a whole object or part, in base64. */
export const Checksum = z.object({ algorithm: ChecksumAlgorithm, value: z.string() });
export type Checksum = z.infer<typeof Checksum>;

/** A digest that is being computed. */
export interface Digest {
  update(bytes: Uint8Array): void;
  digest(): Buffer;
}

/** A new computation of one of the algorithms. */
export function startDigest(algorithm: ChecksumAlgorithm): Digest {
  return algorithm === 'CRC32' ? crc32Digest() : crc64nvme();
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

/** The header in which a request gives the CRC32 of its body. */
export const CRC32_HEADER = 'x-amz-checksum-crc32';

/** The headers that tell a checksum. */
export function checksumHeaders({ algorithm, value }: Checksum): Record<string, string> {
  return {
    [`x-amz-checksum-${algorithm.toLowerCase()}`]: value,
    'x-amz-checksum-type': 'FULL_OBJECT',
  };
}

/** `ChecksumCRC32` and so on, the element names in XML bodies. */
export function checksumElement(algorithm: ChecksumAlgorithm): string {
  return `Checksum${algorithm}`;
}

/** The CRC32 that the headers declare for the body, in base64; `InvalidRequest` unless it has its form. */
export function declaredCrc32(headers: Record<string, string>): string | undefined {
  const value = headers[CRC32_HEADER];
  const named = headers['x-amz-sdk-checksum-algorithm'];
  if (value === undefined && named === undefined) return undefined;
  if (value === undefined) {
    throw new S3Error(
      'InvalidRequest',
      'x-amz-sdk-checksum-algorithm specified, but no corresponding x-amz-checksum-* or x-amz-trailer headers were found.',
    );
  }
  if (named !== undefined && named !== 'CRC32') {
    throw new S3Error('NotImplemented', undefined, { Header: 'x-amz-sdk-checksum-algorithm' });
  }
  const bytes = Buffer.from(value, 'base64');
  if (bytes.length === 4 && bytes.toString('base64') === value) return value;
  throw new S3Error('InvalidRequest', `Value for ${CRC32_HEADER} header is invalid.`);
}

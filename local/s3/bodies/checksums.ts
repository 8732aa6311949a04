import { S3Error } from '../protocol/s3-error.ts';
import type { XmlNode } from '../protocol/xml.ts';

/** The header of a CRC32, in base64. */
export const CRC32_HEADER = 'x-amz-checksum-crc32';

/**
 * The headers that tell the CRC32 of an object. None without one: S3 computes a CRC64NVME of what it is
 * sent without a checksum, which no program of ours reads.
 */
export function crc32Headers(crc32: string | undefined): Record<string, string> {
  if (crc32 === undefined) return {};
  return { [CRC32_HEADER]: crc32, 'x-amz-checksum-type': 'FULL_OBJECT' };
}

/** The same as elements of an XML body. */
export function crc32Elements(crc32: string | undefined): XmlNode[] {
  if (crc32 === undefined) return [];
  return [
    ['ChecksumCRC32', crc32],
    ['ChecksumType', 'FULL_OBJECT'],
  ];
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

import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { ContentLinks } from '../../core/transfer/export-ports.ts';

/** Presigned GET requests to S3, at the bucket's own endpoint and not at a site's host. */
export function contentLinks(bucket: string): ContentLinks {
  const client = new S3Client({});
  return {
    sign: (key, seconds) =>
      getSignedUrl(client, new GetObjectCommand({ Bucket: bucket, Key: key }), {
        expiresIn: seconds,
      }),
  };
}

import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import {
  ListObjectsV2Command,
  ListPartsCommand,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { arrivedFiles, partKey } from '../../../../adapters/s3/waiting-files.ts';
import { anUpload } from '../../../fixtures/uploads/memory-uploads.ts';

test('a file that another request closes while they are listed has arrived', async () => {
  const { uploadId } = anUpload();
  let isClosed = false;
  const client = {
    send: async (command: unknown) => {
      if (command instanceof ListObjectsV2Command)
        return { Contents: isClosed ? [{ Key: partKey(uploadId, 0), Size: 4 }] : [] };
      if (!(command instanceof ListPartsCommand)) throw new Error('another call');
      isClosed = true;
      const fault = { $fault: 'client', $metadata: {} } as const;
      throw new S3ServiceException({ name: 'NoSuchUpload', ...fault });
    },
  } as unknown as S3Client;
  const list = gzipSync(JSON.stringify([{ path: 'a.txt', size: 4, multipartId: 'open' }]));
  const content = { get: async () => list, deletePrefix: async () => undefined };
  const storage = { client, plain: client, bucket: 'bucket', content };
  expect([...(await arrivedFiles(storage, uploadId))]).toEqual([[0, { size: 4 }]]);
});

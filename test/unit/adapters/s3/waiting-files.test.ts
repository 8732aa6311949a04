import { gzipSync } from 'node:zlib';
import { expect, jest, test } from '@jest/globals';
import {
  ListObjectsV2Command,
  ListPartsCommand,
  S3Client,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { arrivedFiles, openFiles, partKey } from '../../../../adapters/s3/waiting-files.ts';
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
  expect([...(await arrivedFiles(storage, uploadId))]).toEqual([[0, { size: 4, isWhole: true }]]);
});

test.each([
  ['at the host of a bucket', {}],
  [
    'at a host of all buckets with a port',
    { endpoint: 'http://127.0.0.1:9999', forcePathStyle: true },
  ],
])('the URLs of parts are those of the SDK, %s', async (_, at) => {
  jest.useFakeTimers({
    now: new Date('2026-03-01T12:00:00Z'),
    doNotFake: ['nextTick', 'setImmediate'],
  });
  const sessionToken = 'of+a/function==';
  const credentials = {
    accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
    secretAccessKey: 'secret',
    sessionToken,
  };
  const checks = { requestChecksumCalculation: 'WHEN_REQUIRED' } as const;
  const plain = new S3Client({ region: 'eu-west-1', credentials, ...checks, ...at });
  const { uploadId } = anUpload();
  const files = [0, 1, 2, 5].map((size) => ({ path: `${size}.txt`, size }));
  const multipart = 'an_id.of-S3+/=';
  const send = async () => ({ UploadId: multipart });
  const stored = { send } as unknown as S3Client;
  const opening = Object.create(plain, { send: { value: send } }) as S3Client;
  const content = { get: async () => undefined, deletePrefix: async () => undefined };
  const storage = { client: stored, plain: opening, bucket: 'bucket', content };
  const until = new Date('2026-03-01T13:00:00Z');
  const signed = await openFiles(storage, uploadId, { files, until, partBytes: 2 });
  const parts = [
    { index: 0, offset: 0, size: 0, number: 1 },
    { index: 1, offset: 0, size: 1, number: 1 },
    { index: 2, offset: 0, size: 2, number: 1 },
    { index: 3, offset: 0, size: 2, number: 1 },
    { index: 3, offset: 2, size: 2, number: 2 },
    { index: 3, offset: 4, size: 1, number: 3 },
  ];
  expect(signed).toEqual(
    parts.map(({ index, offset, size }) => ({ index, offset, size, url: expect.any(String) })),
  );
  const expected = parts.map(({ index, size, number }) => {
    const part = { Bucket: 'bucket', Key: partKey(uploadId, index), PartNumber: number };
    const command = new UploadPartCommand({ ...part, UploadId: multipart, ContentLength: size });
    const signableHeaders = new Set(['content-length', 'host']);
    return getSignedUrl(plain, command, { expiresIn: 3600, signableHeaders });
  });
  expect(signed.map(({ url }) => fieldsOf(url))).toEqual(
    (await Promise.all(expected)).map(fieldsOf),
  );
  jest.useRealTimers();
});

function fieldsOf(url: string) {
  const { origin, pathname, searchParams } = new URL(url);
  return { origin, pathname, query: [...searchParams] };
}

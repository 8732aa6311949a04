import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { describe, expect, test } from '@jest/globals';
import { s3, client, Bucket, put, text, keys, refusal, deny } from './server-suite.ts';

describe('permissions', () => {
  const target = { Bucket, Key: 'key' };
  const upload = { ...target, UploadId: 'none' };
  test.each([
    ['s3:GetObject', new GetObjectCommand(target)],
    ['s3:GetObject', new HeadObjectCommand(target)],
    ['s3:PutObject', new PutObjectCommand({ ...target, Body: 'x' })],
    ['s3:PutObject', new CopyObjectCommand({ ...target, CopySource: 'bucket/key?versionId=null' })],
    ['s3:GetObject', new CopyObjectCommand({ ...target, CopySource: 'bucket/key' })],
    [
      's3:GetObjectVersion',
      new CopyObjectCommand({ ...target, CopySource: 'bucket/key?versionId=null' }),
    ],
    ['s3:ListBucket', new ListObjectsV2Command({ Bucket })],
    ['s3:PutObject', new CreateMultipartUploadCommand(target)],
    ['s3:PutObject', new UploadPartCommand({ ...upload, PartNumber: 1, Body: 'x' })],
    [
      's3:PutObject',
      new CompleteMultipartUploadCommand({
        ...upload,
        MultipartUpload: { Parts: [{ PartNumber: 1 }] },
      }),
    ],
    ['s3:AbortMultipartUpload', new AbortMultipartUploadCommand(upload)],
    ['s3:ListMultipartUploadParts', new ListPartsCommand(upload)],
    ['s3:ListBucketMultipartUploads', new ListMultipartUploadsCommand({ Bucket })],
  ])('%s denied refuses %#', async (action, command) => {
    await put('key');
    deny((call) => call.action === action);
    const error = await client.send(command as GetObjectCommand).catch((e: unknown) => e);
    expect(error).toMatchObject({ $metadata: { httpStatusCode: 403 } });
    deny(() => false);
    expect(await keys()).toEqual(['key']);
    expect(await text('key')).toBe('hello');
  });

  test('are checked for each key of DeleteObjects', async () => {
    await put('mine');
    await put('yours');
    deny(({ action, key }) => action === 's3:DeleteObject' && key === 'yours');
    const Objects = [{ Key: 'mine' }, { Key: 'yours' }];
    const result = await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
    expect(result.Deleted).toEqual([{ Key: 'mine' }]);
    expect(result.Errors).toMatchObject([{ Key: 'yours', Code: 'AccessDenied' }]);
    expect(await keys()).toEqual(['yours']);
  });

  test('hide a missing key from callers who may not list', async () => {
    expect(await refusal(text('missing'))).toBe('NoSuchKey');
    deny(({ action }) => action === 's3:ListBucket');
    expect(await refusal(text('missing'))).toBe('AccessDenied');
  });

  test('report only the permitted calls', async () => {
    await put('a');
    deny(({ action }) => action === 's3:GetObject');
    await refusal(text('a'));
    expect(s3.calls).toEqual([
      { accessKeyId: 'AKIDLOCAL', action: 's3:PutObject', bucket: Bucket, key: 'a' },
    ]);
  });
});

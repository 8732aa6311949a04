import { createHash, randomBytes } from 'node:crypto';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { describe, expect, test } from '@jest/globals';
import { client, Bucket, key, md5, get, exists, refusal } from './suite.ts';

describe('multipart uploads', () => {
  const first = randomBytes(5 * 1024 * 1024);
  const second = randomBytes(70_000);

  async function start(name: string, input: object = {}) {
    const Key = key(name);
    const { UploadId } = await client.send(
      new CreateMultipartUploadCommand({ Bucket, Key, ...input }),
    );
    return { Bucket, Key, UploadId };
  }

  async function part(
    upload: Awaited<ReturnType<typeof start>>,
    PartNumber: number,
    Body: Buffer,
    input: object = {},
  ) {
    const { ETag, ChecksumCRC32 } = await client.send(
      new UploadPartCommand({ ...upload, PartNumber, Body, ...input }),
    );
    return { PartNumber, ETag, ChecksumCRC32 };
  }

  const complete = (upload: Awaited<ReturnType<typeof start>>, Parts: object[]) =>
    client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }));

  test('joins parts', async () => {
    const upload = await start('joined', { ContentType: 'video/mp4', Metadata: { a: '1' } });
    const parts = [await part(upload, 1, first), await part(upload, 3, second)];
    const done = await complete(upload, parts);
    const digests = Buffer.concat(
      [first, second].map((body) => createHash('md5').update(body).digest()),
    );
    expect(done.ETag).toBe(`"${md5(digests)}-2"`);
    const output = await client.send(new GetObjectCommand({ Bucket, Key: upload.Key }));
    const bytes = Buffer.from((await output.Body?.transformToByteArray()) ?? []);
    expect(bytes.equals(Buffer.concat([first, second]))).toBe(true);
    expect(output).toMatchObject({
      ContentType: 'video/mp4',
      Metadata: { a: '1' },
      ETag: done.ETag,
    });
  });

  test('lists parts and uploads, and uses the last of a part sent twice', async () => {
    const upload = await start('listed-upload');
    await part(upload, 2, second);
    await part(upload, 1, Buffer.from('overwritten'));
    const last = await part(upload, 1, Buffer.from('kept'));
    const { Parts } = await client.send(new ListPartsCommand(upload));
    expect(Parts?.map(({ PartNumber, Size }) => [PartNumber, Size])).toEqual([
      [1, 4],
      [2, 70_000],
    ]);
    expect(Parts?.[0]?.ETag).toBe(last.ETag);
    const { Uploads } = await client.send(
      new ListMultipartUploadsCommand({ Bucket, Prefix: upload.Key }),
    );
    expect(Uploads?.map(({ UploadId }) => UploadId)).toEqual([upload.UploadId]);
    expect(await exists('listed-upload')).toBe(false);
    await complete(upload, [last]);
    expect((await get('listed-upload')).bytes.toString()).toBe('kept');
    expect(await refusal(client.send(new ListPartsCommand(upload)))).toBe('404 NoSuchUpload');
  });

  test('forgets an aborted upload', async () => {
    const upload = await start('aborted');
    const done = await part(upload, 1, second);
    await client.send(new AbortMultipartUploadCommand(upload));
    expect(await refusal(part(upload, 2, second))).toBe('404 NoSuchUpload');
    expect(await refusal(complete(upload, [done]))).toBe('404 NoSuchUpload');
  });

  type Parts = Awaited<ReturnType<typeof part>>[];
  test.each<[string, (parts: Parts) => object[], string]>([
    ['parts out of order', (parts) => parts.reverse(), '400 InvalidPartOrder'],
    ['a part that was not uploaded', ([a]) => [{ ...a, PartNumber: 7 }], '400 InvalidPart'],
    ['a part with another entity tag', ([a]) => [{ ...a, ETag: '"other"' }], '400 InvalidPart'],
    [
      'a part with another checksum',
      ([, b]) => [{ ...b, ChecksumCRC32: 'AAAAAA==' }],
      '400 InvalidPart',
    ],
    ['a small part before the last', (parts) => parts, '400 EntityTooSmall'],
    ['no parts', () => [], '400 MalformedXML'],
  ])('refuses to complete with %s', async (title, choose, expected) => {
    const upload = await start(`refused-${title}`);
    const parts = [await part(upload, 1, Buffer.from('small')), await part(upload, 2, second)];
    expect(await refusal(complete(upload, choose(parts)))).toBe(expected);
    expect(await exists(`refused-${title}`)).toBe(false);
    await client.send(new AbortMultipartUploadCommand(upload));
  });

  test('finds an upload only under its own key', async () => {
    const upload = await start('own-key');
    const other = { ...upload, Key: key('other-key') };
    expect(await refusal(client.send(new AbortMultipartUploadCommand(other)))).toBe(
      '404 NoSuchUpload',
    );
    await client.send(new AbortMultipartUploadCommand(upload));
  });

  test.each([0, 10_001])('refuses part number %d', async (number) => {
    const upload = await start('numbers');
    expect(await refusal(part(upload, number, second))).toBe('400 InvalidArgument');
    await client.send(new AbortMultipartUploadCommand(upload));
  });

  test('refuses a part whose checksum is wrong', async () => {
    const upload = await start('strict');
    expect(await refusal(part(upload, 1, second, { ChecksumCRC32: 'AAAAAA==' }))).toBe(
      '400 BadDigest',
    );
    await client.send(new AbortMultipartUploadCommand(upload));
  });
});

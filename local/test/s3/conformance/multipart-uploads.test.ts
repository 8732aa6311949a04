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
import { client, Bucket, key, md5, put, get, exists, refusal } from './suite.ts';

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
    const output = await client.send(
      new UploadPartCommand({ ...upload, PartNumber, Body, ...input }),
    );
    const { ETag, ChecksumCRC32, ChecksumCRC32C, ChecksumCRC64NVME, ChecksumSHA1, ChecksumSHA256 } =
      output;
    return {
      PartNumber,
      ETag,
      ChecksumCRC32,
      ChecksumCRC32C,
      ChecksumCRC64NVME,
      ChecksumSHA1,
      ChecksumSHA256,
    };
  }

  const complete = (
    upload: Awaited<ReturnType<typeof start>>,
    Parts: object[],
    input: object = {},
  ) =>
    client.send(
      new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts }, ...input }),
    );

  test.each([
    ['CRC32', undefined, 'COMPOSITE'],
    ['CRC32', 'FULL_OBJECT', 'FULL_OBJECT'],
    ['CRC32C', undefined, 'COMPOSITE'],
    ['CRC64NVME', undefined, 'FULL_OBJECT'],
    ['SHA1', undefined, 'COMPOSITE'],
    ['SHA256', undefined, 'COMPOSITE'],
  ] as const)('joins parts under %s %s', async (ChecksumAlgorithm, ChecksumType, expectedType) => {
    const upload = await start(`joined-${ChecksumAlgorithm}-${ChecksumType}`, {
      ChecksumAlgorithm,
      ChecksumType,
      ContentType: 'video/mp4',
      Metadata: { a: '1' },
    });
    const parts = [
      await part(upload, 1, first, { ChecksumAlgorithm }),
      await part(upload, 3, second, { ChecksumAlgorithm }),
    ];
    const done = await complete(upload, parts);
    const digests = Buffer.concat(
      [first, second].map((body) => createHash('md5').update(body).digest()),
    );
    expect(done.ETag).toBe(`"${md5(digests)}-2"`);
    expect(done.ChecksumType).toBe(expectedType);
    const output = await client.send(new GetObjectCommand({ Bucket, Key: upload.Key }));
    const bytes = Buffer.from((await output.Body?.transformToByteArray()) ?? []);
    expect(bytes.equals(Buffer.concat([first, second]))).toBe(true);
    expect(output).toMatchObject({
      ContentType: 'video/mp4',
      Metadata: { a: '1' },
      ETag: done.ETag,
    });
    const field = `Checksum${ChecksumAlgorithm}` as 'ChecksumCRC32';
    expect(output[field]).toBe(done[field]);
    expect(output[field]?.endsWith('-2')).toBe(expectedType === 'COMPOSITE');
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
    const page = await client.send(new ListPartsCommand({ ...upload, MaxParts: 1 }));
    expect(page).toMatchObject({ IsTruncated: true, NextPartNumberMarker: '1' });
    const { Uploads } = await client.send(
      new ListMultipartUploadsCommand({ Bucket, Prefix: upload.Key }),
    );
    expect(Uploads?.map(({ UploadId }) => UploadId)).toEqual([upload.UploadId]);
    expect(await exists('listed-upload')).toBe(false);
    await complete(upload, [last]);
    expect((await get('listed-upload')).bytes.toString()).toBe('kept');
    expect(await refusal(client.send(new ListPartsCommand(upload)))).toBe('404 NoSuchUpload');
  });

  test('pages through uploads of several keys', async () => {
    const uploads = [await start('paged/a'), await start('paged/b')];
    const page = await client.send(
      new ListMultipartUploadsCommand({ Bucket, Prefix: key('paged/'), MaxUploads: 1 }),
    );
    expect(page).toMatchObject({ IsTruncated: true, NextKeyMarker: key('paged/a') });
    const rest = await client.send(
      new ListMultipartUploadsCommand({
        Bucket,
        Prefix: key('paged/'),
        KeyMarker: page.NextKeyMarker,
        UploadIdMarker: page.NextUploadIdMarker,
      }),
    );
    expect(rest.Uploads?.map(({ Key }) => Key)).toEqual([key('paged/b')]);
    expect(rest.IsTruncated).toBe(false);
    for (const upload of uploads) await client.send(new AbortMultipartUploadCommand(upload));
  });

  test('forgets an aborted upload', async () => {
    const upload = await start('aborted');
    const done = await part(upload, 1, second);
    await client.send(new AbortMultipartUploadCommand(upload));
    expect(await refusal(part(upload, 2, second))).toBe('404 NoSuchUpload');
    expect(await refusal(complete(upload, [done]))).toBe('404 NoSuchUpload');
  });

  test('completes only to a new key', async () => {
    const upload = await start('completed-once');
    const done = await part(upload, 1, second);
    await put('completed-once');
    expect(await refusal(complete(upload, [done], { IfNoneMatch: '*' }))).toBe(
      '412 PreconditionFailed',
    );
    expect((await get('completed-once')).bytes.toString()).toBe('hello');
    await client.send(new AbortMultipartUploadCommand(upload));
  });

  test.each<[string, (parts: { ETag?: string; PartNumber: number }[]) => object[], object, string]>(
    [
      ['parts out of order', (parts) => parts.reverse(), {}, '400 InvalidPartOrder'],
      ['a part that was not uploaded', ([a]) => [{ ...a, PartNumber: 7 }], {}, '400 InvalidPart'],
      [
        'a part with another entity tag',
        ([a]) => [{ ...a, ETag: '"other"' }],
        {},
        '400 InvalidPart',
      ],
      ['a small part before the last', (parts) => parts, {}, '400 EntityTooSmall'],
      ['no parts', () => [], {}, '400 MalformedXML'],
      ['another total size', ([, b]) => [b ?? {}], { MpuObjectSize: 5 }, '400 InvalidRequest'],
      [
        'parts without their checksums',
        ([, b]) => [{ PartNumber: 2, ETag: b?.ETag }],
        {},
        '400 InvalidRequest',
      ],
    ],
  )('refuses to complete with %s', async (title, choose, input, expected) => {
    const upload = await start(`refused-${title}`, { ChecksumAlgorithm: 'SHA256' });
    const sha = { ChecksumAlgorithm: 'SHA256' };
    const parts = [
      await part(upload, 1, Buffer.from('small'), sha),
      await part(upload, 2, second, sha),
    ];
    expect(await refusal(complete(upload, choose(parts), input))).toBe(expected);
    expect(await exists(`refused-${title}`)).toBe(false);
    await client.send(new AbortMultipartUploadCommand(upload));
  });

  test('refuses to complete under a checksum that the whole object does not have', async () => {
    const upload = await start('claimed', {
      ChecksumAlgorithm: 'CRC32',
      ChecksumType: 'FULL_OBJECT',
    });
    const done = await part(upload, 1, second);
    const wrong = { ChecksumCRC32: 'AAAAAA==', ChecksumType: 'FULL_OBJECT' };
    expect(await refusal(complete(upload, [done], wrong))).toBe('400 BadDigest');
    expect(await exists('claimed')).toBe(false);
    await complete(upload, [done], { ...wrong, ChecksumCRC32: done.ChecksumCRC32 });
    expect(await exists('claimed')).toBe(true);
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

  test('refuses a part under another algorithm, and one whose checksum is wrong', async () => {
    const upload = await start('strict', { ChecksumAlgorithm: 'SHA256' });
    expect(await refusal(part(upload, 1, second, { ChecksumAlgorithm: 'CRC32' }))).toBe(
      '400 InvalidRequest',
    );
    const wrong = { ChecksumSHA256: Buffer.alloc(32).toString('base64') };
    expect(await refusal(part(upload, 1, second, wrong))).toBe('400 BadDigest');
    await client.send(new AbortMultipartUploadCommand(upload));
  });
});

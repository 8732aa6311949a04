import { createHash, randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  type ChecksumAlgorithm,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetBucketLocationCommand,
  GetObjectCommand,
  type GetObjectCommandInput,
  HeadBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandInput,
  ListPartsCommand,
  PutObjectCommand,
  type PutObjectCommandInput,
  type S3Client,
  type S3ClientConfig,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { createPresignedPost } from '@aws-sdk/s3-presigned-post';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ALLOWED_ORIGIN, type S3Target, s3Target } from '../fixtures/clouds/s3-target.ts';

let s3: S3Target;
let client: S3Client;
let Bucket: string;

beforeAll(async () => {
  s3 = await s3Target();
  ({ client, bucket: Bucket } = s3);
});
afterAll(() => s3.stop());

const key = (name: string) => `${s3.prefix}${name}`;
const md5 = (data: string | Buffer) => createHash('md5').update(data).digest('hex');

async function put(name: string, input: Partial<PutObjectCommandInput> = {}) {
  return client.send(new PutObjectCommand({ Bucket, Key: key(name), Body: 'hello', ...input }));
}

async function get(name: string, input: Partial<GetObjectCommandInput> = {}) {
  const output = await client.send(new GetObjectCommand({ Bucket, Key: key(name), ...input }));
  return { ...output, bytes: Buffer.from((await output.Body?.transformToByteArray()) ?? []) };
}

async function exists(name: string): Promise<boolean> {
  const { Contents } = await list({ Prefix: key(name) });
  return (Contents ?? []).some(({ Key }) => Key === key(name));
}

const list = (input: Partial<ListObjectsV2CommandInput>) =>
  client.send(new ListObjectsV2Command({ Bucket, ...input }));

/** The error name and status that a call was refused with. */
async function refusal(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'accepted',
    (error: { name: string; $metadata?: { httpStatusCode?: number } }) =>
      `${error.$metadata?.httpStatusCode} ${error.name}`,
  );
}

/** The error code and status of a plain HTTP answer. */
async function outcome(response: Response): Promise<string> {
  const code = /<Code>(.*?)<\/Code>/.exec(await response.text())?.[1];
  return code === undefined ? String(response.status) : `${response.status} ${code}`;
}

/** Changes the signed request just before it is sent. */
function tampering(
  change: (request: { headers: Record<string, string>; body: unknown }) => void,
  config: S3ClientConfig = {},
) {
  const tampered = s3.newClient({ maxAttempts: 1, ...config });
  tampered.middlewareStack.add(
    (next) => (args) => {
      change(args.request as { headers: Record<string, string>; body: unknown });
      return next(args);
    },
    { step: 'deserialize', priority: 'low', name: 'tamper' },
  );
  return tampered;
}

describe('objects', () => {
  test('gives back the bytes that were put, with MD5 as entity tag', async () => {
    const Body = randomBytes(300_000);
    const { ETag } = await put('plain', { Body });
    const read = await get('plain');
    expect(read.bytes.equals(Body)).toBe(true);
    expect(ETag).toBe(`"${md5(Body)}"`);
    expect(read.ETag).toBe(ETag);
    expect(read.ContentLength).toBe(300_000);
    expect(read.ContentType).toBe('application/octet-stream');
    expect(Math.abs(Date.now() - Number(read.LastModified))).toBeLessThan(60_000);
  });

  test('reads an overwritten object as its last version, and an empty one as empty', async () => {
    await put('twice', { Body: 'first' });
    await put('twice', { Body: '' });
    const read = await get('twice');
    expect(read.bytes.length).toBe(0);
    expect(read.ETag).toBe(`"${md5('')}"`);
  });

  test('keeps system and user metadata', async () => {
    const metadata = {
      ContentType: 'text/html; charset=utf-8',
      ContentDisposition: 'attachment; filename="a.html"',
      ContentEncoding: 'gzip',
      ContentLanguage: 'de',
      CacheControl: 'no-store',
      Metadata: { one: '1', 'two-words': 'two words' },
    };
    const Expires = new Date('2031-01-01T00:00:00Z');
    await put('described', { ...metadata, Expires });
    expect(await get('described')).toMatchObject(metadata);
    const head = await client.send(new HeadObjectCommand({ Bucket, Key: key('described') }));
    expect(head).toMatchObject(metadata);
    expect(head.ExpiresString).toBe(Expires.toUTCString());
  });

  test('does not store aws-chunked as content encoding of a streamed body', async () => {
    await put('stream-gzip', {
      Body: Readable.from([randomBytes(9000)]),
      ContentLength: 9000,
      ContentEncoding: 'gzip',
    });
    expect((await get('stream-gzip')).ContentEncoding).toBe('gzip');
    await put('stream-plain', { Body: Readable.from([randomBytes(9000)]), ContentLength: 9000 });
    expect((await get('stream-plain')).ContentEncoding ?? '').toBe('');
  });

  test('counts tags and refuses more than ten', async () => {
    await put('tagged', { Tagging: 'a=1&b=2' });
    expect((await get('tagged')).TagCount).toBe(2);
    const Tagging = Array.from({ length: 11 }, (_, i) => `k${i}=v`).join('&');
    expect(await refusal(put('over-tagged', { Tagging }))).toMatch(/^400 /);
  });

  test('refuses more than 2 kB of user metadata', async () => {
    expect(await refusal(put('fat', { Metadata: { a: 'x'.repeat(2100) } }))).toBe(
      '400 MetadataTooLarge',
    );
  });

  test('deletes, also what is not there', async () => {
    await put('gone');
    await client.send(new DeleteObjectCommand({ Bucket, Key: key('gone') }));
    await client.send(new DeleteObjectCommand({ Bucket, Key: key('gone') }));
    expect(await refusal(get('gone'))).toBe('404 NoSuchKey');
    expect(await refusal(client.send(new HeadObjectCommand({ Bucket, Key: key('gone') })))).toBe(
      '404 NotFound',
    );
  });

  test('deletes many keys at once and reports each, or none when quiet', async () => {
    const names = ['many/1', 'many/ä & <b>', 'many/3'];
    await Promise.all(names.map((name) => put(name)));
    const Objects = [...names, 'many/never'].map((name) => ({ Key: key(name) }));
    const loud = await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
    expect(loud.Deleted?.map(({ Key }) => Key).sort()).toEqual(
      Objects.map(({ Key }) => Key).sort(),
    );
    expect((await list({ Prefix: key('many/') })).KeyCount).toBe(0);
    const quiet = await client.send(
      new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }),
    );
    expect(quiet.Deleted ?? []).toEqual([]);
  });

  test('refuses to delete more than 1000 keys in one request', async () => {
    const Objects = Array.from({ length: 1001 }, (_, i) => ({ Key: key(`x${i}`) }));
    expect(
      await refusal(client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }))),
    ).toBe('400 MalformedXML');
  });

  test('knows its bucket and no other', async () => {
    await client.send(new HeadBucketCommand({ Bucket }));
    await client.send(new GetBucketLocationCommand({ Bucket }));
    const Other = 'slipway-suite-no-such-bucket-3f9a1c';
    expect(await refusal(client.send(new GetObjectCommand({ Bucket: Other, Key: 'a' })))).toBe(
      '404 NoSuchBucket',
    );
  });
});

test('refuses to delete many keys by a body without a checksum', async () => {
  const careless = s3.newClient({});
  careless.middlewareStack.add(
    (next) => (args) => {
      const { headers } = args.request as { headers: Record<string, string> };
      delete headers['x-amz-checksum-crc32'];
      delete headers['x-amz-sdk-checksum-algorithm'];
      return next(args);
    },
    { step: 'build', priority: 'low', name: 'careless' },
  );
  const command = new DeleteObjectsCommand({ Bucket, Delete: { Objects: [{ Key: key('a') }] } });
  expect(await refusal(careless.send(command))).toBe('400 InvalidRequest');
});

describe('checksums', () => {
  const algorithms: ChecksumAlgorithm[] = ['CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256'];

  test.each(algorithms)(
    'verifies, stores and returns %s given as a header',
    async (ChecksumAlgorithm) => {
      const field = `Checksum${ChecksumAlgorithm}` as 'ChecksumCRC32';
      const written = await put(`sum-${ChecksumAlgorithm}`, {
        Body: '123456789',
        ChecksumAlgorithm,
      });
      expect(written[field]).toBeTruthy();
      const read = await get(`sum-${ChecksumAlgorithm}`, { ChecksumMode: 'ENABLED' });
      expect(read[field]).toBe(written[field]);
      expect(read.ChecksumType).toBe('FULL_OBJECT');
      expect(read.bytes.toString()).toBe('123456789');
    },
  );

  test.each(algorithms)(
    'verifies %s given as a trailer of a streamed body',
    async (ChecksumAlgorithm) => {
      const bytes = randomBytes(200_000);
      const Body = Readable.from([bytes.subarray(0, 90_000), bytes.subarray(90_000)]);
      await put(`trailer-${ChecksumAlgorithm}`, {
        Body,
        ContentLength: bytes.length,
        ChecksumAlgorithm,
      });
      const read = await get(`trailer-${ChecksumAlgorithm}`);
      expect(read.bytes.equals(bytes)).toBe(true);
      expect(read[`Checksum${ChecksumAlgorithm}` as 'ChecksumCRC32']).toBeTruthy();
    },
  );

  test.each([
    ['ChecksumCRC32', 'AAAAAA=='],
    ['ChecksumCRC32C', 'AAAAAA=='],
    ['ChecksumCRC64NVME', 'AAAAAAAAAAA='],
    ['ChecksumSHA1', Buffer.alloc(20).toString('base64')],
    ['ChecksumSHA256', Buffer.alloc(32).toString('base64')],
    ['ContentMD5', Buffer.alloc(16).toString('base64')],
  ])('refuses a body whose %s is another, and stores nothing', async (field, value) => {
    expect(await refusal(put(`bad-${field}`, { [field]: value }))).toBe('400 BadDigest');
    expect(await exists(`bad-${field}`)).toBe(false);
  });

  test.each([
    ['ContentMD5', 'short', '400 InvalidDigest'],
    ['ChecksumCRC32', 'short', '400 InvalidRequest'],
  ])('refuses a %s that is none', async (field, value, expected) => {
    expect(await refusal(put('malformed-sum', { [field]: value }))).toBe(expected);
  });

  const chunked = (body: string, trailer: string) =>
    `${body.length.toString(16)}\r\n${body}\r\n0\r\n${trailer}\r\n\r\n`;
  test.each([
    ['whose trailer is wrong', chunked('hello', 'x-amz-checksum-crc32:AAAAAA=='), '400 BadDigest'],
    ['without the promised trailer', '5\r\nhello\r\n0\r\n\r\n', '400 MalformedTrailerError'],
    [
      'with fewer bytes than declared',
      chunked('hell', 'x-amz-checksum-crc32:AAAAAA=='),
      '400 IncompleteBody',
    ],
    ['whose chunk ends early', '5\r\nhel', '400 IncompleteBody'],
  ])('refuses a streamed body %s, and stores nothing', async (title, wire, expected) => {
    const forged = tampering((request) => {
      request.body = Readable.from([Buffer.from(wire)]);
    });
    const Body = Readable.from([Buffer.from('hello')]);
    const call = forged.send(
      new PutObjectCommand({ Bucket, Key: key(title), Body, ContentLength: 5 }),
    );
    expect(await refusal(call)).toBe(expected);
    expect(await exists(title)).toBe(false);
  });

  test('refuses small chunks before the last one', async () => {
    const Body = Readable.from([Buffer.from('tiny'), Buffer.from('pieces')], {
      objectMode: false,
      highWaterMark: 4,
    });
    expect(await refusal(put('tiny-chunks', { Body, ContentLength: 10 }))).toBe(
      '403 InvalidChunkSizeError',
    );
  });
});

describe('conditional requests', () => {
  test('creates once with If-None-Match: *', async () => {
    await put('once', { Body: 'first', IfNoneMatch: '*' });
    expect(await refusal(put('once', { Body: 'second', IfNoneMatch: '*' }))).toBe(
      '412 PreconditionFailed',
    );
    expect((await get('once')).bytes.toString()).toBe('first');
  });

  test('lets exactly one of many simultaneous creations win', async () => {
    const attempts = Array.from({ length: 8 }, (_, i) =>
      refusal(put('race', { Body: `writer ${i}`, IfNoneMatch: '*' })),
    );
    const results = await Promise.all(attempts);
    expect(results.filter((result) => result === 'accepted')).toHaveLength(1);
  });

  test('replaces only the version that If-Match names', async () => {
    const { ETag } = await put('versioned', { Body: 'one' });
    await put('versioned', { Body: 'two', IfMatch: ETag });
    expect(await refusal(put('versioned', { Body: 'three', IfMatch: ETag }))).toBe(
      '412 PreconditionFailed',
    );
    expect(await refusal(put('never-there', { IfMatch: ETag }))).toBe('404 NoSuchKey');
    expect((await get('versioned')).bytes.toString()).toBe('two');
  });

  test('copies only where nothing is yet', async () => {
    await put('copy-source');
    const CopySource = `${Bucket}/${key('copy-source')}`;
    const copy = () =>
      client.send(
        new CopyObjectCommand({ Bucket, Key: key('copy-once'), CopySource, IfNoneMatch: '*' }),
      );
    await copy();
    expect(await refusal(copy())).toBe('412 PreconditionFailed');
  });

  test.each([
    ['If-None-Match of the present version', (tag: string) => ({ IfNoneMatch: tag }), '304'],
    ['If-None-Match of another version', () => ({ IfNoneMatch: '"other"' }), 'accepted'],
    ['If-Match of the present version', (tag: string) => ({ IfMatch: tag }), 'accepted'],
    ['If-Match of another version', () => ({ IfMatch: '"other"' }), '412'],
    ['If-Modified-Since in the past', () => ({ IfModifiedSince: new Date(0) }), 'accepted'],
    ['If-Unmodified-Since in the past', () => ({ IfUnmodifiedSince: new Date(0) }), '412'],
    [
      'If-None-Match of another version before If-Modified-Since',
      () => ({ IfNoneMatch: '"other"', IfModifiedSince: new Date() }),
      'accepted',
    ],
    [
      'If-Match of the present version before If-Unmodified-Since',
      (tag: string) => ({ IfMatch: tag, IfUnmodifiedSince: new Date(0) }),
      'accepted',
    ],
  ])('reads with %s', async (_, condition, expected) => {
    const { ETag = '' } = await put('conditional');
    expect(await refusal(get('conditional', condition(ETag)))).toContain(expected);
  });
});

describe('ranges', () => {
  test.each([
    ['bytes=0-4', '01234', 'bytes 0-4/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=-3', '789', 'bytes 7-9/10'],
    ['bytes=-99', '0123456789', 'bytes 0-9/10'],
    ['bytes=8-99', '89', 'bytes 8-9/10'],
  ])('answers %s with a part', async (Range, expected, ContentRange) => {
    await put('ranged', { Body: '0123456789' });
    const read = await get('ranged', { Range });
    expect(read.$metadata.httpStatusCode).toBe(206);
    expect(read.bytes.toString()).toBe(expected);
    expect(read).toMatchObject({ ContentRange, ContentLength: expected.length });
  });

  test.each(['bytes=5-2', 'lines=1-2'])('ignores the malformed range %s', async (Range) => {
    await put('ranged', { Body: '0123456789' });
    const read = await get('ranged', { Range });
    expect(read.$metadata.httpStatusCode).toBe(200);
    expect(read.bytes.toString()).toBe('0123456789');
  });

  test.each([
    ['ranged', 'bytes=10-'],
    ['ranged', 'bytes=-0'],
    ['ranged-empty', 'bytes=0-'],
  ])('refuses on %s the range %s', async (name, Range) => {
    await put('ranged', { Body: '0123456789' });
    await put('ranged-empty', { Body: '' });
    expect(await refusal(get(name, { Range }))).toBe('416 InvalidRange');
  });

  test('heads a range with its length', async () => {
    await put('ranged', { Body: '0123456789' });
    const head = await client.send(
      new HeadObjectCommand({ Bucket, Key: key('ranged'), Range: 'bytes=2-3' }),
    );
    expect(head.ContentLength).toBe(2);
  });
});

describe('copies', () => {
  test('takes bytes and metadata along, or replaces the metadata', async () => {
    await put('from ä+b', { Body: 'copied', ContentType: 'text/css', Metadata: { a: '1' } });
    const CopySource = encodeURI(`${Bucket}/${key('from ä+b')}`).replace('+', '%2B');
    await client.send(new CopyObjectCommand({ Bucket, Key: key('to'), CopySource }));
    const copied = await get('to');
    expect(copied).toMatchObject({ ContentType: 'text/css', Metadata: { a: '1' } });
    expect(copied.bytes.toString()).toBe('copied');
    const replaced = {
      ContentType: 'text/plain',
      Metadata: { b: '2' },
      MetadataDirective: 'REPLACE' as const,
    };
    await client.send(new CopyObjectCommand({ Bucket, Key: key('to'), CopySource, ...replaced }));
    expect(await get('to')).toMatchObject({ ContentType: 'text/plain', Metadata: { b: '2' } });
  });

  test.each([
    ['of what does not exist', 'nothing', {}, '404 NoSuchKey'],
    ['onto itself without a change', 'self', {}, '400 InvalidRequest'],
    [
      'of another version than asked for',
      'source-2',
      { CopySourceIfMatch: '"x"' },
      '412 PreconditionFailed',
    ],
  ])('refuses a copy %s', async (_, source, input, expected) => {
    await put('self');
    await put('source-2');
    const CopySource = `${Bucket}/${key(source)}`;
    expect(
      await refusal(
        client.send(new CopyObjectCommand({ Bucket, Key: key('self'), CopySource, ...input })),
      ),
    ).toBe(expected);
  });
});

describe('keys', () => {
  const odd = [
    'ümläut/日本語 😀.txt',
    'a b+c&d=e?f#g%20h;i:j,k@l$m',
    'quotes\'(1)!*"<>&.txt',
    'dots/../up',
    'dots/./here',
    'two//slashes',
    '/leading',
    'trailing/',
    'back\\slash',
    '__proto__',
    'ctl\u0001\ttab\nline',
    '%2e%2e%2f',
  ];

  test.each(odd)('treats %j as a name and nothing else', async (name) => {
    const Body = `body of ${name}`;
    await put(`odd/${name}`, { Body });
    expect((await get(`odd/${name}`)).bytes.toString()).toBe(Body);
    const { Contents } = await list({ Prefix: key(`odd/${name}`), EncodingType: 'url' });
    const listed = Contents?.map(({ Key = '' }) => decodeURIComponent(Key.replaceAll('+', ' ')));
    expect(listed).toContain(key(`odd/${name}`));
    await client.send(new DeleteObjectCommand({ Bucket, Key: key(`odd/${name}`) }));
    expect(await exists(`odd/${name}`)).toBe(false);
  });

  test('takes 1024 bytes of UTF-8 and refuses one more', async () => {
    const longest = key('long/').padEnd(1022, 'a') + 'ä';
    await client.send(new PutObjectCommand({ Bucket, Key: longest, Body: 'x' }));
    const call = client.send(new PutObjectCommand({ Bucket, Key: `${longest}a`, Body: 'x' }));
    expect(await refusal(call)).toBe('400 KeyTooLongError');
  });
});

describe('listing', () => {
  const names = ['L/a/1', 'L/a/2', 'L/b', 'L/c/1', 'L/d', 'L/\ufffd', 'L/😀', 'L/é'];
  const sorted = ['L/a/1', 'L/a/2', 'L/b', 'L/c/1', 'L/d', 'L/é', 'L/\ufffd', 'L/😀'];
  beforeAll(async () => {
    await Promise.all(names.map((name) => put(name)));
  });

  test('sorts by UTF-8 bytes', async () => {
    const { Contents } = await list({ Prefix: key('L/') });
    expect(Contents?.map(({ Key }) => Key)).toEqual(sorted.map(key));
    expect(Contents?.[0]).toMatchObject({
      ETag: `"${md5('hello')}"`,
      Size: 5,
      StorageClass: 'STANDARD',
    });
  });

  test.each([1, 2, 3, 100])('pages through everything once, %d at a time', async (MaxKeys) => {
    const seen: unknown[] = [];
    let ContinuationToken: string | undefined;
    do {
      const page = await list({ Prefix: key('L/'), MaxKeys, ContinuationToken });
      expect(page.KeyCount).toBeLessThanOrEqual(MaxKeys);
      seen.push(...(page.Contents ?? []).map(({ Key }) => Key));
      ContinuationToken = page.NextContinuationToken;
      expect(page.IsTruncated).toBe(ContinuationToken !== undefined);
    } while (ContinuationToken !== undefined);
    expect(seen).toEqual(sorted.map(key));
  });

  test.each([1, 2, 100])('rolls keys up at the delimiter, %d at a time', async (MaxKeys) => {
    const [keys, prefixes]: unknown[][] = [[], []];
    let ContinuationToken: string | undefined;
    do {
      const page = await list({ Prefix: key('L/'), Delimiter: '/', MaxKeys, ContinuationToken });
      keys?.push(...(page.Contents ?? []).map(({ Key }) => Key));
      prefixes?.push(...(page.CommonPrefixes ?? []).map(({ Prefix }) => Prefix));
      ContinuationToken = page.NextContinuationToken;
    } while (ContinuationToken !== undefined);
    expect(prefixes).toEqual([key('L/a/'), key('L/c/')]);
    expect(keys).toEqual(['L/b', 'L/d', 'L/é', 'L/\ufffd', 'L/😀'].map(key));
  });

  test('starts after a key', async () => {
    const { Contents } = await list({ Prefix: key('L/'), StartAfter: key('L/d'), MaxKeys: 1 });
    expect(Contents?.map(({ Key }) => Key)).toEqual([key('L/é')]);
  });

  test('answers an empty page for no keys at all', async () => {
    const page = await list({ Prefix: key('L/'), MaxKeys: 0 });
    expect(page).toMatchObject({ KeyCount: 0, IsTruncated: false });
  });

  test('refuses a token that it did not give out', async () => {
    expect(await refusal(list({ ContinuationToken: 'made-up' }))).toBe('400 InvalidArgument');
  });
});

describe('signatures', () => {
  test('refuses a wrong secret and an unknown key', async () => {
    const command = () => new ListObjectsV2Command({ Bucket });
    const wrongSecret = s3.newClient({
      credentials: { ...s3.credentials, secretAccessKey: 'wrong' },
    });
    const unknownKey = s3.newClient({
      credentials: { ...s3.credentials, accessKeyId: 'AKIAAAAAAAAAAAAAAAAA' },
    });
    expect(await refusal(wrongSecret.send(command()))).toBe('403 SignatureDoesNotMatch');
    expect(await refusal(unknownKey.send(command()))).toBe('403 InvalidAccessKeyId');
  });

  test('refuses requests without a signature', async () => {
    await put('private');
    expect(await outcome(await fetch(s3.url(key('private'))))).toBe('403 AccessDenied');
    expect(await outcome(await fetch(s3.url(key('private')), { method: 'PUT', body: 'x' }))).toBe(
      '403 AccessDenied',
    );
  });

  test.each([
    [
      'a changed signed header',
      (h: Record<string, string>) => (h['x-amz-meta-a'] = 'changed'),
      '403 SignatureDoesNotMatch',
    ],
    [
      'an added x-amz header',
      (h: Record<string, string>) => (h['x-amz-meta-b'] = 'added'),
      '403 AccessDenied',
    ],
    [
      'a removed signed header',
      (h: Record<string, string>) => delete h['x-amz-meta-a'],
      '403 SignatureDoesNotMatch',
    ],
  ])('refuses %s', async (_, change, expected) => {
    const forged = tampering(({ headers }) => void change(headers));
    const input = { Bucket, Key: key('tampered'), Body: 'x', Metadata: { a: 'signed' } };
    expect(await refusal(forged.send(new PutObjectCommand(input)))).toBe(expected);
    expect(await exists('tampered')).toBe(false);
  });

  test('refuses a body that is not the one that was hashed', async () => {
    const forged = tampering(
      (request) => {
        request.body = 'other';
      },
      { requestChecksumCalculation: 'WHEN_REQUIRED' },
    );
    const call = forged.send(
      new PutObjectCommand({ Bucket, Key: key('other-body'), Body: 'hello' }),
    );
    expect(await refusal(call)).toBe('400 XAmzContentSHA256Mismatch');
    expect(await exists('other-body')).toBe(false);
  });
});

describe('presigned URLs', () => {
  /** The signer of uploads must not add the checksum of an empty body. */
  const signer = () => s3.newClient({ requestChecksumCalculation: 'WHEN_REQUIRED' });

  test('reads with headers of its own choice', async () => {
    await put('signed get', { ContentType: 'text/css' });
    const ResponseContentDisposition = 'attachment; filename="ä.txt"';
    const command = new GetObjectCommand({
      Bucket,
      Key: key('signed get'),
      ResponseContentType: 'text/plain',
      ResponseContentDisposition,
      ResponseCacheControl: 'no-store',
    });
    const response = await fetch(await getSignedUrl(client, command));
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('hello');
    expect(response.headers.get('content-type')).toBe('text/plain');
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  test('writes what is sent, with the content type that was signed', async () => {
    const command = new PutObjectCommand({
      Bucket,
      Key: key('signed-put'),
      ContentType: 'text/html',
    });
    const url = await getSignedUrl(signer(), command, {
      signableHeaders: new Set(['content-type']),
    });
    const send = (type: string) =>
      fetch(url, { method: 'PUT', body: '<p>', headers: { 'content-type': type } });
    expect(await outcome(await send('text/css'))).toBe('403 SignatureDoesNotMatch');
    expect(await outcome(await send('text/html'))).toBe('200');
    expect(await get('signed-put')).toMatchObject({ ContentType: 'text/html', ContentLength: 3 });
  });

  test('holds an upload to the checksum that the URL carries', async () => {
    const ChecksumSHA256 = createHash('sha256').update('right').digest('base64');
    const command = new PutObjectCommand({ Bucket, Key: key('signed-sum'), ChecksumSHA256 });
    const url = await getSignedUrl(signer(), command);
    expect(await outcome(await fetch(url, { method: 'PUT', body: 'wrong' }))).toBe('400 BadDigest');
    expect(await outcome(await fetch(url, { method: 'PUT', body: 'right' }))).toBe('200');
  });

  test.each([
    ['another key', (url: URL) => (url.pathname += 'x'), '403 SignatureDoesNotMatch'],
    [
      'a longer life',
      (url: URL) => url.searchParams.set('X-Amz-Expires', '901'),
      '403 SignatureDoesNotMatch',
    ],
    [
      'an added parameter',
      (url: URL) => url.searchParams.set('response-content-type', 'text/html'),
      '403 SignatureDoesNotMatch',
    ],
    ['another method', () => undefined, '403 SignatureDoesNotMatch'],
  ])('refuses %s', async (title, change, expected) => {
    await put('signed-get');
    const url = new URL(
      await getSignedUrl(client, new GetObjectCommand({ Bucket, Key: key('signed-get') })),
    );
    change(url);
    const method = title === 'another method' ? 'DELETE' : 'GET';
    expect(await outcome(await fetch(url, { method }))).toBe(expected);
  });

  test('ends with its life', async () => {
    await put('short-lived');
    const url = await getSignedUrl(
      client,
      new GetObjectCommand({ Bucket, Key: key('short-lived') }),
      { expiresIn: 1 },
    );
    expect((await fetch(url)).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 2500));
    expect(await outcome(await fetch(url))).toBe('403 AccessDenied');
  });

  test('stores nothing of an upload that was cut off', async () => {
    const url = await getSignedUrl(signer(), new PutObjectCommand({ Bucket, Key: key('cut-off') }));
    const send = url.startsWith('https:') ? httpsRequest : httpRequest;
    const upload = send(url, { method: 'PUT', headers: { 'content-length': 100_000 } });
    await new Promise<void>((resolve) => {
      upload.on('error', () => undefined).on('close', resolve);
      upload.write(Buffer.alloc(50_000), () => setTimeout(() => upload.destroy(), 100));
    });
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await exists('cut-off')).toBe(false);
  });
});

describe('browser forms', () => {
  type Form = { fields: Record<string, string>; file: string; url: string };

  async function signedForm(name: string, expires = 60): Promise<Form> {
    const { url, fields } = await createPresignedPost(client, {
      Bucket,
      Key: key(name),
      Expires: expires,
      Fields: { 'Content-Type': 'text/plain', 'x-amz-meta-owner': 'me' },
      Conditions: [
        ['content-length-range', 3, 10],
        ['starts-with', '$x-amz-meta-note', 'ok-'],
        ['starts-with', '$Cache-Control', ''],
      ],
    });
    return {
      url,
      fields: { ...fields, 'x-amz-meta-note': 'ok-1', 'Cache-Control': 'no-cache' },
      file: 'hello',
    };
  }

  async function send({ url, fields, file }: Form): Promise<Response> {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append('file', new Blob([file]), 'file name.txt');
    return fetch(url, { method: 'POST', body: form });
  }

  test('stores a file whose form meets every condition', async () => {
    const response = await send(await signedForm('posted'));
    expect(response.status).toBe(204);
    expect(response.headers.get('etag')).toBe(`"${md5('hello')}"`);
    const read = await get('posted');
    expect(read.bytes.toString()).toBe('hello');
    expect(read).toMatchObject({
      ContentType: 'text/plain',
      CacheControl: 'no-cache',
      Metadata: { owner: 'me', note: 'ok-1' },
    });
  });

  test('puts the file name into the key and answers 201 with the place', async () => {
    const { url, fields } = await createPresignedPost(client, {
      Bucket,
      Key: key('named/${filename}'),
      Fields: { success_action_status: '201' },
    });
    const response = await send({ url, fields, file: 'x' });
    expect(response.status).toBe(201);
    expect(await response.text()).toContain(`<Key>${key('named/file name.txt')}</Key>`);
    expect(await exists('named/file name.txt')).toBe(true);
  });

  const set = (fields: Record<string, string>) => (form: Form) =>
    void Object.assign(form.fields, fields);
  const drop = (name: string) => (form: Form) => void delete form.fields[name];
  test.each<[string, (form: Form) => void, string]>([
    ['a file below the least size', (form) => (form.file = 'hi'), '400 EntityTooSmall'],
    [
      'a file above the greatest size',
      (form) => (form.file = 'much too long'),
      '400 EntityTooLarge',
    ],
    ['another key', (form) => set({ key: `${form.fields.key}x` })(form), '403 AccessDenied'],
    ['another content type', set({ 'Content-Type': 'text/html' }), '403 AccessDenied'],
    ['a field that begins otherwise', set({ 'x-amz-meta-note': 'no-1' }), '403 AccessDenied'],
    ['a missing field', drop('x-amz-meta-owner'), '403 AccessDenied'],
    ['a field that the policy does not name', set({ 'x-amz-meta-extra': '1' }), '403 AccessDenied'],
    ['another bucket', set({ bucket: 'other-bucket' }), '403 AccessDenied'],
    ['a wrong signature', set({ 'X-Amz-Signature': '0'.repeat(64) }), '403 SignatureDoesNotMatch'],
    [
      'a changed policy',
      (form) => set({ Policy: Buffer.from('{}').toString('base64') })(form),
      '403 SignatureDoesNotMatch',
    ],
    ['no policy', drop('Policy'), '403 AccessDenied'],
    ['no key', drop('key'), '400 InvalidArgument'],
  ])('refuses %s', async (title, change, expected) => {
    const name = `refused-${title}`;
    const form = await signedForm(name);
    change(form);
    expect(await outcome(await send(form))).toBe(expected);
    expect(await exists(name)).toBe(false);
    expect(await exists(`${name}x`)).toBe(false);
  });

  test('refuses a form whose policy has expired', async () => {
    expect(await outcome(await send(await signedForm('late', -60)))).toBe('403 AccessDenied');
  });

  test('refuses a form without a file', async () => {
    const { url, fields } = await signedForm('no-file');
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    expect(await outcome(await fetch(url, { method: 'POST', body: form }))).toBe(
      '400 InvalidArgument',
    );
  });
});

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

  test('lists parts and uploads, and takes the last of a part sent twice', async () => {
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

  test('completes only where nothing is yet', async () => {
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

  test('finds an upload under its own key only', async () => {
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

describe('point 9: a file that is the one part of a multipart upload', () => {
  /** As a browser or curl sends it: by a signed URL, without a checksum. */
  async function begin(name: string, size: number) {
    const plain = s3.newClient({ requestChecksumCalculation: 'WHEN_REQUIRED' });
    const Key = key(name);
    const { UploadId } = await plain.send(new CreateMultipartUploadCommand({ Bucket, Key }));
    const upload = { Bucket, Key, UploadId };
    const command = new UploadPartCommand({ ...upload, PartNumber: 1, ContentLength: size });
    const signableHeaders = new Set(['content-length', 'host']);
    const url = await getSignedUrl(plain, command, { signableHeaders });
    const send = async (body: string) => outcome(await fetch(url, { method: 'PUT', body }));
    const sent = async () => (await plain.send(new ListPartsCommand(upload))).Parts ?? [];
    const complete = (ETag: string | undefined) => {
      const MultipartUpload = { Parts: [{ PartNumber: 1, ETag }] };
      return plain.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload }));
    };
    return { upload, send, sent, complete };
  }

  test('takes exactly its bytes, again too, until it is completed', async () => {
    const { send, sent, complete } = await begin('one-part', 5);
    expect(await send('six by')).toBe('403 SignatureDoesNotMatch');
    expect(await send('first')).toBe('200');
    expect(await send('again')).toBe('200');
    const parts = await sent();
    expect(parts.map(({ Size }) => Size)).toEqual([5]);
    expect(await exists('one-part')).toBe(false);
    await complete(parts[0]?.ETag);
    expect(await send('later')).toBe('404 NoSuchUpload');
    expect((await get('one-part')).bytes.toString()).toBe('again');
  });

  test('takes nothing once it is aborted', async () => {
    const { upload, send } = await begin('aborted-part', 5);
    await client.send(new AbortMultipartUploadCommand(upload));
    expect(await send('later')).toBe('404 NoSuchUpload');
    expect(await exists('aborted-part')).toBe(false);
  });

  test('is not completed with what was there before', async () => {
    const { upload, send, sent, complete } = await begin('replaced-part', 5);
    await send('first');
    const [part] = await sent();
    await send('other');
    expect(await refusal(complete(part?.ETag))).toBe('400 InvalidPart');
    await client.send(new AbortMultipartUploadCommand(upload));
  });

  test('may have no bytes', async () => {
    const { send, sent, complete } = await begin('empty-part', 0);
    expect(await send('')).toBe('200');
    await complete((await sent())[0]?.ETag);
    expect((await get('empty-part')).bytes).toHaveLength(0);
  });
});

describe('CORS', () => {
  const preflight = (headers: Record<string, string>) =>
    fetch(s3.url(key('cors')), { method: 'OPTIONS', headers });

  test('lets the configured origin send what its rule allows', async () => {
    const response = await preflight({
      origin: ALLOWED_ORIGIN,
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'Content-Type, x-amz-meta-a',
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('access-control-allow-origin')).toBe(ALLOWED_ORIGIN);
    expect(response.headers.get('access-control-allow-methods')).toContain('PUT');
    expect(response.headers.get('access-control-allow-headers')).toBe('content-type, x-amz-meta-a');
    expect(response.headers.get('access-control-max-age')).toBe('300');
  });

  test.each([
    ['another origin', { origin: 'https://evil.example', 'access-control-request-method': 'PUT' }],
    ['another method', { origin: ALLOWED_ORIGIN, 'access-control-request-method': 'DELETE' }],
    [
      'another header',
      {
        origin: ALLOWED_ORIGIN,
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'x-other',
      },
    ],
  ])('refuses %s', async (_, headers) => {
    const response = await preflight(headers);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    expect(await outcome(response)).toBe('403 AccessForbidden');
  });

  test('marks actual answers, refusals too, for the configured origin only', async () => {
    await put('cors');
    const url = await getSignedUrl(client, new GetObjectCommand({ Bucket, Key: key('cors') }));
    const allowed = await fetch(url, { headers: { origin: ALLOWED_ORIGIN } });
    expect(allowed.headers.get('access-control-allow-origin')).toBe(ALLOWED_ORIGIN);
    expect(allowed.headers.get('access-control-expose-headers')).toBe('ETag');
    expect(allowed.headers.get('vary')).toContain('Origin');
    const refused = await fetch(s3.url(key('cors')), { headers: { origin: ALLOWED_ORIGIN } });
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([
      403,
      ALLOWED_ORIGIN,
    ]);
    const other = await fetch(url, { headers: { origin: 'https://evil.example' } });
    expect(other.headers.get('access-control-allow-origin')).toBeNull();
  });
});

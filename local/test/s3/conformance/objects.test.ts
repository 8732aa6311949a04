import { randomBytes } from 'node:crypto';
import {
  CopyObjectCommand,
  type CopyObjectCommandInput,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { describe, expect, test } from '@jest/globals';
import { s3, client, Bucket, key, md5, put, get, exists, list, refusal, remove } from './suite.ts';

describe('objects', () => {
  test('returns the stored bytes, with MD5 as entity tag', async () => {
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

  test('refuses more than 2 kB of user metadata', async () => {
    expect(await refusal(put('fat', { Metadata: { a: 'x'.repeat(2100) } }))).toBe(
      '400 MetadataTooLarge',
    );
  });

  test('deletes existing and missing objects', async () => {
    await put('gone');
    await remove('gone');
    await remove('gone');
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

  test('serves only its own bucket', async () => {
    const Other = 'slipway-suite-no-such-bucket-3f9a1c';
    expect(await refusal(client.send(new GetObjectCommand({ Bucket: Other, Key: 'a' })))).toBe(
      '404 NoSuchBucket',
    );
  });
});

describe('copies', () => {
  const source = {
    Body: 'copied',
    ContentType: 'text/css',
    ContentDisposition: 'inline',
    Metadata: { a: '1' },
  };
  const copy = (from: string, to: string, input: Partial<CopyObjectCommandInput> = {}) =>
    client.send(
      new CopyObjectCommand({
        Bucket,
        Key: key(to),
        CopySource: `${Bucket}/${encodeURIComponent(key(from))}`,
        ...input,
      }),
    );

  test('have the bytes and the metadata of their source; metadata of the request is ignored', async () => {
    await put('cöpy +source', source);
    const { CopyObjectResult } = await copy('cöpy +source', 'copy', { ContentType: 'text/plain' });
    expect(CopyObjectResult?.ETag).toBe(`"${md5('copied')}"`);
    const { Body: _, ...metadata } = source;
    expect(await get('copy')).toMatchObject({ ...metadata, bytes: Buffer.from('copied') });
  });

  test('have the metadata of the request and none of their source with REPLACE, also onto itself', async () => {
    await put('replaced', source);
    const replacing = { MetadataDirective: 'REPLACE', Metadata: { b: '2' } } as const;
    await copy('replaced', 'replaced', replacing);
    const read = await get('replaced');
    expect(read.bytes.toString()).toBe('copied');
    expect(read.Metadata).toEqual({ b: '2' });
    expect(read.ContentDisposition).toBeUndefined();
    expect(read.ContentType).toBe('binary/octet-stream');
  });

  test('of nothing, onto itself without new metadata, and with an unknown directive are refused', async () => {
    await put('alone', source);
    expect(await refusal(copy('nothing', 'copy'))).toBe('404 NoSuchKey');
    expect(await refusal(copy('alone', 'alone'))).toBe('400 InvalidRequest');
    const unknown = { MetadataDirective: 'SOME' as 'COPY' };
    expect(await refusal(copy('alone', 'copy', unknown))).toBe('400 InvalidArgument');
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

  test.each(odd)('treats %j only as a name', async (name) => {
    const Body = `body of ${name}`;
    await put(`odd/${name}`, { Body });
    expect((await get(`odd/${name}`)).bytes.toString()).toBe(Body);
    expect(await exists(`odd/${name}`)).toBe(true);
    await remove(`odd/${name}`);
    expect(await exists(`odd/${name}`)).toBe(false);
  });

  test('accepts 1024 bytes of UTF-8 and refuses one more', async () => {
    const longest = key('long/').padEnd(1022, 'a') + 'ä';
    await client.send(new PutObjectCommand({ Bucket, Key: longest, Body: 'x' }));
    const call = client.send(new PutObjectCommand({ Bucket, Key: `${longest}a`, Body: 'x' }));
    expect(await refusal(call)).toBe('400 KeyTooLongError');
  });
});

import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, open, readdir, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectAclCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  ListMultipartUploadsCommand,
  ListObjectsCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  PutObjectCommand,
  type PutObjectCommandInput,
  PutObjectTaggingCommand,
  type S3Client,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { createPresignedPost } from '@aws-sdk/s3-presigned-post';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { S3Call } from '../../../../local/s3/s3-server.ts';
import { clientFor, localS3 } from '../../../fixtures/clouds/s3-local.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const Bucket = 'bucket';

let s3: Awaited<ReturnType<typeof localS3>>;
let client: S3Client;
let denied: (call: S3Call) => boolean;

async function start(dataDir?: string) {
  s3 = await localS3({ ...(dataDir && { dataDir }), authorize: (call) => !denied(call) });
  client = s3.client;
}

beforeEach(async () => {
  denied = () => false;
  await start();
  await s3.server.createBucket(Bucket);
});
afterEach(() => s3.remove());

const put = (Key: string, input: Partial<PutObjectCommandInput> = {}) =>
  client.send(new PutObjectCommand({ Bucket, Key, Body: 'hello', ...input }));

async function text(Key: string): Promise<string | undefined> {
  return (await client.send(new GetObjectCommand({ Bucket, Key }))).Body?.transformToString();
}

async function keys(): Promise<(string | undefined)[]> {
  const { Contents } = await client.send(new ListObjectsV2Command({ Bucket }));
  return (Contents ?? []).map(({ Key }) => Key);
}

async function refusal(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'accepted',
    (error: Error) => error.name,
  );
}

async function restart(): Promise<void> {
  await s3.stop();
  await start(s3.dataDir);
}

describe('state', () => {
  test('is the same after a restart', async () => {
    const input = { ContentType: 'text/css', Metadata: { a: 'b' }, Tagging: 'x=1' };
    const before = await put('dir/ä 😀', { Body: 'kept', ChecksumAlgorithm: 'SHA256', ...input });
    await put('deleted');
    await client.send(new DeleteObjectCommand({ Bucket, Key: 'deleted' }));
    const upload = await client.send(new CreateMultipartUploadCommand({ Bucket, Key: 'big' }));
    const target = { Bucket, Key: 'big', UploadId: upload.UploadId };
    const part = {
      PartNumber: 1,
      ...(await client.send(new UploadPartCommand({ ...target, PartNumber: 1, Body: 'part' }))),
    };
    const cors = [{ allowedOrigins: ['*'], allowedMethods: ['GET' as const] }];
    await s3.server.createBucket(Bucket, { cors });

    await restart();

    expect(await keys()).toEqual(['dir/ä 😀']);
    expect(await text('dir/ä 😀')).toBe('kept');
    const head = await client.send(
      new HeadObjectCommand({ Bucket, Key: 'dir/ä 😀', ChecksumMode: 'ENABLED' }),
    );
    expect(head).toMatchObject({
      ETag: before.ETag,
      ChecksumSHA256: before.ChecksumSHA256,
      ContentType: 'text/css',
      Metadata: { a: 'b' },
    });
    await client.send(
      new CompleteMultipartUploadCommand({ ...target, MultipartUpload: { Parts: [part] } }),
    );
    expect(await text('big')).toBe('part');
    const response = await fetch(`${s3.server.url}/${Bucket}/x`, {
      headers: { origin: 'https://a.example' },
    });
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
  });

  test('holds nothing of what was half done', async () => {
    const upload = await client.send(new CreateMultipartUploadCommand({ Bucket, Key: 'aborted' }));
    await put('kept');
    const dir = join(s3.dataDir, Bucket);
    await writeFile(join(dir, 'tmp', 'leftover'), 'half a body');
    await rm(join(dir, 'uploads', upload.UploadId ?? '', 'upload'));
    await restart();
    expect(await readdir(join(dir, 'tmp'))).toEqual([]);
    expect(await readdir(join(dir, 'uploads'))).toEqual([]);
    expect(await keys()).toEqual(['kept']);
  });

  test('keeps every acknowledged write through kill -9, and no half one', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'slipway-s3-killed-'));
    const fixture = fileURLToPath(
      new URL('../../../fixtures/clouds/s3-process.ts', import.meta.url),
    );
    const child = spawn(process.execPath, ['--import', 'tsx', fixture, dataDir], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const writer = clientFor(line.toString().trim());
    const acknowledged = new Map<string, number>();
    const write = async (Key: string) => {
      for (let version = 1; ; version++) {
        const Body = `${version}\n`.repeat(20_000);
        await writer.send(new PutObjectCommand({ Bucket, Key, Body }));
        acknowledged.set(Key, version);
      }
    };
    const writers = ['a', 'b', 'c', 'd'].map((key) => write(key).catch(() => undefined));
    while (Math.min(...['a', 'b', 'c', 'd'].map((key) => acknowledged.get(key) ?? 0)) < 5) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    child.kill('SIGKILL');
    await Promise.all([once(child, 'exit'), ...writers]);
    writer.destroy();

    await s3.remove();
    await start(dataDir);
    expect(await keys()).toEqual(['a', 'b', 'c', 'd']);
    for (const [key, version] of acknowledged) {
      const lines = new Set((await text(key))?.trimEnd().split('\n'));
      expect(lines.size).toBe(1);
      expect(Number([...lines][0])).toBeGreaterThanOrEqual(version);
    }
    expect(await readdir(join(dataDir, Bucket, 'tmp'))).toEqual([]);
  }, 30_000);

  test('refuses to start on a damaged object file instead of losing it silently', async () => {
    await put('object');
    await s3.stop();
    const dir = join(s3.dataDir, Bucket, 'objects');
    await writeFile(join(dir, (await readdir(dir))[0] ?? ''), 'damaged');
    await expect(start(s3.dataDir)).rejects.toThrow('damaged');
  });
});

describe('simultaneous use', () => {
  test('shows each reader one whole version', async () => {
    const version = (byte: number) => Buffer.alloc(300_000, byte);
    await put('contended', { Body: version(0) });
    const state = { isWriting: true };
    const writers = [1, 2, 3].map(async (byte) => {
      for (let i = 0; i < 8; i++) await put('contended', { Body: version(byte) });
    });
    const read = async () => {
      let reads = 0;
      for (; state.isWriting; reads++) {
        const { Body, ETag } = await client.send(
          new GetObjectCommand({ Bucket, Key: 'contended' }),
        );
        const bytes = Buffer.from((await Body?.transformToByteArray()) ?? []);
        expect(new Set(bytes).size).toBe(1);
        expect(bytes).toHaveLength(300_000);
        expect(ETag).toBe(`"${createHash('md5').update(bytes).digest('hex')}"`);
      }
      return reads;
    };
    const readers = [read(), read()];
    await Promise.all(writers);
    state.isWriting = false;
    expect(Math.min(...(await Promise.all(readers)))).toBeGreaterThan(0);
  });

  test.each(['overwritten', 'deleted'])(
    'lets a slow reader finish an object that is %s',
    async (how) => {
      const old = randomBytes(8_000_000);
      await put('slow', { Body: old });
      const { body } = await s3.server.read({
        bucket: Bucket,
        key: 'slow',
        method: 'GET',
        headers: {},
      });
      if (how === 'overwritten') await put('slow', { Body: 'new' });
      else await client.send(new DeleteObjectCommand({ Bucket, Key: 'slow' }));
      const pieces: Buffer[] = [];
      for await (const piece of body as Readable) pieces.push(piece as Buffer);
      expect(Buffer.concat(pieces).equals(old)).toBe(true);
    },
  );

  test('leaves no temporary file behind a refused, a cut-off and a stored upload', async () => {
    await put('stored');
    await refusal(put('refused', { ContentMD5: Buffer.alloc(16).toString('base64') }));
    const url = new URL(
      await getSignedUrl(client, new PutObjectCommand({ Bucket, Key: 'cut-off' })),
    );
    const socket = connect(Number(url.port), '127.0.0.1');
    socket.write(
      `PUT ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\ncontent-length: 90000\r\n\r\n`,
    );
    socket.write(Buffer.alloc(50_000));
    const temporary = () => readdir(join(s3.dataDir, Bucket, 'tmp'));
    while ((await temporary()).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    socket.destroy();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await temporary()).toEqual([]);
    expect(await keys()).toEqual(['stored']);
  });

  test('answers the next request on a connection whose last body was refused half-way', async () => {
    const { host, port } = new URL(s3.server.url);
    const socket = connect(Number(port), '127.0.0.1');
    const body = `--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n${'x'.repeat(3_000_000)}`;
    const form = `content-type: multipart/form-data; boundary=b\r\ncontent-length: ${body.length}`;
    socket.write(`POST /bucket HTTP/1.1\r\nhost: ${host}\r\n${form}\r\n\r\n${body}`);
    socket.write(`GET /bucket/a HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`);
    let answers = '';
    socket.on('data', (data: Buffer) => (answers += data.toString()));
    await once(socket, 'close');
    expect(answers.match(/<Code>\w+/g)).toEqual([
      '<Code>MaxPostPreDataLengthExceeded',
      '<Code>AccessDenied',
    ]);
  });

  test('does not join a part whose bytes are not those that were uploaded', async () => {
    const target = { Bucket, Key: 'parts' };
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(target));
    const part = { ...target, UploadId, PartNumber: 1, Body: 'part' };
    const { ETag, ChecksumCRC32 } = await client.send(new UploadPartCommand(part));
    const file = await open(join(s3.dataDir, Bucket, 'uploads', UploadId ?? '', '1'), 'r+');
    await file.write('X', 0);
    await file.close();
    const MultipartUpload = { Parts: [{ PartNumber: 1, ETag, ChecksumCRC32 }] };
    const complete = new CompleteMultipartUploadCommand({ ...target, UploadId, MultipartUpload });
    expect(await refusal(client.send(complete))).toBe('InvalidPart');
    expect(await keys()).toEqual([]);
  });
});

describe('clock', () => {
  test('decides when a signature is too old, and stamps objects and answers', async () => {
    const url = await getSignedUrl(client, new GetObjectCommand({ Bucket, Key: 'a' }), {
      expiresIn: 3600,
    });
    const form = await createPresignedPost(client, { Bucket, Key: 'posted', Expires: 3600 });
    await put('a');
    s3.clock.advance(14 * 60_000);
    await put('a');
    expect((await fetch(url)).status).toBe(200);
    s3.clock.advance(2 * 60_000);
    const stranger = clientFor(s3.server.url);
    const late = stranger.send(new GetObjectCommand({ Bucket, Key: 'a' }));
    expect(await refusal(late)).toBe('RequestTimeTooSkewed');
    stranger.destroy();
    s3.clock.advance(45 * 60_000);
    expect((await fetch(url)).status).toBe(403);
    const body = new FormData();
    for (const [name, value] of Object.entries(form.fields)) body.append(name, value);
    body.append('file', new Blob(['x']));
    const response = await fetch(form.url, { method: 'POST', body });
    expect(await response.text()).toContain('Policy expired');
    const answered = Date.parse(response.headers.get('date') ?? '');
    expect(Math.abs(answered - s3.clock.now().getTime())).toBeLessThan(5000);
  });

  test('ends objects and unfinished uploads by the lifecycle, at midnight UTC', async () => {
    const lifecycle = [{ prefix: 'temp/', expirationDays: 2, abortIncompleteUploadDays: 1 }];
    await s3.server.createBucket(Bucket, { lifecycle });
    await put('temp/a');
    await put('kept');
    await client.send(new CreateMultipartUploadCommand({ Bucket, Key: 'temp/b' }));
    const uploads = () => readdir(join(s3.dataDir, Bucket, 'uploads'));
    const untilMidnight = DAY_MS - (Date.now() % DAY_MS);
    s3.clock.advance(DAY_MS + untilMidnight - 60_000);
    await s3.server.sweep();
    expect(await uploads()).toHaveLength(1);
    s3.clock.advance(120_000);
    await s3.server.sweep();
    expect(await uploads()).toHaveLength(0);
    const exists = async (key: string) =>
      (await s3.server.read({ bucket: Bucket, key, method: 'HEAD', headers: {} })).status === 200;
    s3.clock.advance(DAY_MS - 180_000);
    await s3.server.sweep();
    expect(await exists('temp/a')).toBe(true);
    s3.clock.advance(120_000);
    await s3.server.sweep();
    expect([await exists('temp/a'), await exists('kept')]).toEqual([false, true]);
  });
});

describe('permissions', () => {
  const target = { Bucket, Key: 'key' };
  const upload = { ...target, UploadId: 'none' };
  test.each([
    ['s3:GetObject', new GetObjectCommand(target)],
    ['s3:GetObject', new HeadObjectCommand(target)],
    ['s3:PutObject', new PutObjectCommand({ ...target, Body: 'x' })],
    ['s3:PutObjectTagging', new PutObjectCommand({ ...target, Body: 'x', Tagging: 'a=b' })],
    ['s3:DeleteObject', new DeleteObjectCommand(target)],
    ['s3:PutObject', new CopyObjectCommand({ ...target, CopySource: 'bucket/source' })],
    ['s3:GetObject', new CopyObjectCommand({ ...target, CopySource: 'bucket/source' })],
    ['s3:ListBucket', new ListObjectsV2Command({ Bucket })],
    ['s3:ListBucket', new HeadBucketCommand({ Bucket })],
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
    await put('source');
    denied = (call) => call.action === action;
    const error = await client.send(command as GetObjectCommand).catch((e: unknown) => e);
    expect(error).toMatchObject({ $metadata: { httpStatusCode: 403 } });
    denied = () => false;
    expect(await keys()).toEqual(['key', 'source']);
    expect(await text('key')).toBe('hello');
  });

  test('are asked for each key of DeleteObjects', async () => {
    await put('mine');
    await put('yours');
    denied = ({ action, key }) => action === 's3:DeleteObject' && key === 'yours';
    const Objects = [{ Key: 'mine' }, { Key: 'yours' }];
    const result = await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
    expect(result.Deleted).toEqual([{ Key: 'mine' }]);
    expect(result.Errors).toMatchObject([{ Key: 'yours', Code: 'AccessDenied' }]);
    expect(await keys()).toEqual(['yours']);
  });

  test('are asked for a form, which is good for its own bucket only', async () => {
    await s3.server.createBucket('other');
    const { url, fields } = await createPresignedPost(client, { Bucket, Key: 'posted' });
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    body.append('file', new Blob(['x']));
    const post = async (to: string) => (await fetch(to, { method: 'POST', body })).status;
    expect(await post(url.replace(Bucket, 'other'))).toBe(403);
    denied = ({ action, key }) => action === 's3:PutObject' && key === 'posted';
    expect(await post(url)).toBe(403);
    denied = () => false;
    expect(await post(url)).toBe(204);
  });

  test('hide from those who may not list that a key does not exist', async () => {
    expect(await refusal(text('missing'))).toBe('NoSuchKey');
    denied = ({ action }) => action === 's3:ListBucket';
    expect(await refusal(text('missing'))).toBe('AccessDenied');
  });

  test('report the calls that were permitted, and no others', async () => {
    await put('a');
    denied = ({ action }) => action === 's3:GetObject';
    await refusal(text('a'));
    expect(s3.calls).toEqual([
      { accessKeyId: 'AKIDLOCAL', action: 's3:PutObject', bucket: Bucket, key: 'a' },
    ]);
  });
});

describe('what is not there', () => {
  const target = { Bucket, Key: 'key' };
  test.each([
    ['ListBuckets', new ListBucketsCommand({})],
    ['CreateBucket', new CreateBucketCommand({ Bucket: 'another' })],
    ['the old listing', new ListObjectsCommand({ Bucket })],
    ['GetObjectAcl', new GetObjectAclCommand(target)],
    ['PutObjectTagging', new PutObjectTaggingCommand({ ...target, Tagging: { TagSet: [] } })],
    ['a version', new GetObjectCommand({ ...target, VersionId: 'v1' })],
    ['a part of an object', new GetObjectCommand({ ...target, PartNumber: 1 })],
    ['an ACL', new PutObjectCommand({ ...target, ACL: 'public-read' })],
    ['a storage class', new PutObjectCommand({ ...target, StorageClass: 'GLACIER' })],
    ['KMS', new PutObjectCommand({ ...target, ServerSideEncryption: 'aws:kms' })],
    ['a conditional delete', new DeleteObjectCommand({ ...target, IfMatch: '"x"' })],
    [
      'a copied part',
      new UploadPartCopyCommand({
        ...target,
        UploadId: 'u',
        PartNumber: 1,
        CopySource: 'bucket/key',
      }),
    ],
  ])('answers 501 for %s', async (_, command) => {
    await put('key');
    const error = await client.send(command as GetObjectCommand).catch((e: unknown) => e);
    expect(error).toMatchObject({ name: 'NotImplemented', $metadata: { httpStatusCode: 501 } });
  });

  test('refuses bucket names that could be paths', async () => {
    for (const name of ['..', '../x', 'a/b', 'A', 'ab', 'a..b']) {
      await expect(s3.server.createBucket(name)).rejects.toThrow('bucket');
    }
  });
});

describe('hostile input', () => {
  async function raw(bytes: string | Buffer): Promise<string> {
    const socket = connect(Number(new URL(s3.server.url).port), '127.0.0.1');
    socket.end(bytes);
    let answer = '';
    socket.on('data', (data: Buffer) => (answer += data.toString())).on('error', () => undefined);
    await once(socket, 'close');
    return answer;
  }
  const form = (contentType: string, body: string) =>
    `POST /bucket HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: ${contentType}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  const get = (path: string, extra = '') =>
    `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${extra}\r\n`;

  test.each<[string, string | Buffer, number]>([
    ['a broken escape', get('/bucket/%zz'), 400],
    ['an escape that is not UTF-8', get('/bucket/%ff'), 400],
    ['a broken query', get('/bucket/a?%ff=%ff'), 400],
    ['an absolute target', get('http://x/bucket/a'), 400],
    ['a path of dots', get('/../../../../etc/passwd'), 403],
    ['a long key', get(`/bucket/${'k'.repeat(1025)}`), 400],
    ['no bucket', get('/'), 403],
    ['a header named __proto__', get('/bucket/a', '__proto__: x\r\n'), 403],
    [
      'an empty signature',
      get('/bucket/a', 'authorization: AWS4-HMAC-SHA256\r\nx-amz-date: x\r\n'),
      400,
    ],
    ['half a presigned URL', get('/bucket/a?X-Amz-Algorithm=AWS4-HMAC-SHA256'), 400],
    [
      'a preflight without a bucket',
      'OPTIONS /nothing/a HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
      404,
    ],
    ['a form without a boundary', form('multipart/form-data', 'x'), 400],
    ['a form that never begins', form('multipart/form-data; boundary=b', 'x'), 400],
    [
      'a form that never ends',
      form(
        'multipart/form-data; boundary=b',
        '--b\r\ncontent-disposition: form-data; name="key"\r\n\r\nx',
      ),
      400,
    ],
    [
      'a form with nameless parts',
      form('multipart/form-data; boundary=b', '--b\r\n\r\nx\r\n--b--'),
      400,
    ],
    [
      'a form with long fields',
      form(
        'multipart/form-data; boundary=b',
        `--b\r\ncontent-disposition: form-data; name="key"\r\n\r\n${'x'.repeat(30_000)}\r\n--b--`,
      ),
      400,
    ],
    [
      'a form with a field twice',
      form(
        'multipart/form-data; boundary=b',
        '--b\r\ncontent-disposition: form-data; name="key"\r\n\r\nx\r\n--b\r\ncontent-disposition: form-data; name="KEY"\r\n\r\ny\r\n--b\r\ncontent-disposition: form-data; name="file"\r\n\r\nz\r\n--b--',
      ),
      400,
    ],
    ['no HTTP at all', randomBytes(2000), 400],
  ])('answers %s and lives on', async (_, bytes, status) => {
    expect(await raw(bytes)).toContain(`HTTP/1.1 ${status} `);
    await put('alive');
    expect(await text('alive')).toBe('hello');
  });

  test.each(['x\r\nset-cookie: a=b', '😀'])(
    'refuses %j as a header of an answer',
    async (value) => {
      await put('a');
      const url = await getSignedUrl(
        client,
        new GetObjectCommand({ Bucket, Key: 'a', ResponseContentDisposition: value }),
      );
      expect((await fetch(url)).status).toBe(400);
      const { url: action, fields } = await createPresignedPost(client, {
        Bucket,
        Key: 'b',
        Fields: { 'Content-Disposition': value },
      });
      const body = new FormData();
      for (const [name, field] of Object.entries(fields)) body.append(name, field);
      body.append('file', new Blob(['x']));
      expect((await fetch(action, { method: 'POST', body })).status).toBe(400);
    },
  );
});

describe('failures of our own', () => {
  test('are logged, answered with 500 and survived', async () => {
    const log = jest.spyOn(console, 'error').mockReturnValue(undefined);
    const dir = join(s3.dataDir, Bucket, 'tmp');
    await rm(dir, { recursive: true });
    const error = await put('a').catch((e: unknown) => e);
    expect(error).toMatchObject({ name: 'InternalError', $metadata: { httpStatusCode: 500 } });
    expect(log).toHaveBeenCalledTimes(1);
    log.mockRestore();
    await mkdir(dir);
    await put('a');
    expect(await text('a')).toBe('hello');
  });
});

describe('trusted reads', () => {
  const read = (
    key: string,
    headers: Record<string, string> = {},
    method: 'GET' | 'HEAD' = 'GET',
  ) => s3.server.read({ bucket: Bucket, key, method, headers });

  async function bodyOf(response: Awaited<ReturnType<typeof read>>): Promise<string> {
    const pieces: Buffer[] = [];
    if (Buffer.isBuffer(response.body)) return response.body.toString();
    for await (const piece of response.body) pieces.push(piece as Buffer);
    return Buffer.concat(pieces).toString();
  }

  test('give the object, a range of it, or the news that nothing changed', async () => {
    const { ETag = '' } = await put('a', { Body: '0123456789', ContentType: 'text/css' });
    const whole = await read('a');
    expect(whole).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/css', 'content-length': '10', etag: ETag },
    });
    expect(await bodyOf(whole)).toBe('0123456789');
    const part = await read('a', { range: 'bytes=2-3' });
    expect(part).toMatchObject({ status: 206, headers: { 'content-range': 'bytes 2-3/10' } });
    expect(await bodyOf(part)).toBe('23');
    expect((await read('a', { 'if-none-match': ETag })).status).toBe(304);
    expect(await bodyOf(await read('a', {}, 'HEAD'))).toBe('');
    const current = await read('a', { range: 'bytes=2-3', 'if-range': ETag });
    expect([current.status, await bodyOf(current)]).toEqual([206, '23']);
    const outdated = await read('a', { range: 'bytes=2-3', 'if-range': '"other"' });
    expect([outdated.status, await bodyOf(outdated)]).toEqual([200, '0123456789']);
  });

  test('answer with error documents', async () => {
    expect(await bodyOf(await read('missing'))).toContain('<Code>NoSuchKey</Code>');
    await put('a', { Body: 'x' });
    expect((await read('a', { range: 'bytes=5-' })).status).toBe(416);
    expect((await read('a', { 'if-match': '"x"' })).status).toBe(412);
    const other = await s3.server.read({ bucket: 'none', key: 'a', method: 'GET', headers: {} });
    expect(other.status).toBe(404);
  });
});

import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  ListPartsCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { describe, expect, test } from '@jest/globals';
import { s3, client, Bucket, key, put, get, exists, refusal, outcome } from './suite.ts';

describe('presigned URLs', () => {
  /** The signer of uploads must not add the checksum of an empty body. */
  const signer = () => s3.newClient({ requestChecksumCalculation: 'WHEN_REQUIRED' });

  test('reads under another name', async () => {
    await put('signed get', { ContentType: 'text/css' });
    const ResponseContentDisposition = 'attachment; filename="ä.txt"';
    const command = new GetObjectCommand({
      Bucket,
      Key: key('signed get'),
      ResponseContentDisposition,
    });
    const response = await fetch(await getSignedUrl(client, command));
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('hello');
    expect(response.headers.get('content-type')).toBe('text/css');
    expect(response.headers.get('content-disposition')).toContain('attachment');
  });

  test('reads a signed range, and no other bytes', async () => {
    const { ETag = '' } = await put('signed range');
    const command = new GetObjectCommand({
      Bucket,
      Key: key('signed range'),
      Range: 'bytes=1-2',
      IfMatch: ETag,
    });
    command.middlewareStack.add(
      (next) => (args) => {
        Object.assign(args.request as object, {
          headers: { ...(args.request as { headers: object }).headers, 'if-range': ETag },
        });
        return next(args);
      },
      { step: 'build' },
    );
    const url = await getSignedUrl(client, command);
    const signed = { range: 'bytes=1-2', 'if-match': ETag, 'if-range': ETag };
    const read = (headers: Record<string, string>) => fetch(url, { headers });
    const part = await read(signed);
    expect({ status: part.status, text: await part.text() }).toEqual({ status: 206, text: 'el' });
    const refused = '403 SignatureDoesNotMatch';
    const { range: _, ...withoutRange } = signed;
    const { 'if-range': __, ...withoutIfRange } = signed;
    expect(await outcome(await read({}))).toBe(refused);
    expect(await outcome(await read(withoutRange))).toBe(refused);
    expect(await outcome(await read(withoutIfRange))).toBe(refused);
    expect(await outcome(await read({ ...signed, range: 'bytes=0-4' }))).toBe(refused);
    expect(await outcome(await read({ ...signed, range: 'bytes=1-2,0-4' }))).toBe(refused);
    expect(await outcome(await read({ ...signed, 'if-range': '"other"' }))).toBe(refused);
    await put('signed range', { Body: 'another' });
    expect(await outcome(await read(signed))).toBe('412 PreconditionFailed');
  });

  test('writes the sent bytes, with the signed content type', async () => {
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

  test('checks an upload against the checksum in the URL', async () => {
    const ChecksumCRC32 = (await put('sum-of-right', { Body: 'right' })).ChecksumCRC32;
    const command = new PutObjectCommand({ Bucket, Key: key('signed-sum'), ChecksumCRC32 });
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

  test('is refused after its expiry', async () => {
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

  test('stores nothing of an interrupted upload', async () => {
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

describe('a file that is the single part of a multipart upload', () => {
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

  test('accepts exactly its bytes, repeatedly, until it is completed', async () => {
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

  test('is refused once it is aborted', async () => {
    const { upload, send } = await begin('aborted-part', 5);
    await client.send(new AbortMultipartUploadCommand(upload));
    expect(await send('later')).toBe('404 NoSuchUpload');
    expect(await exists('aborted-part')).toBe(false);
  });

  test('is not completed with an earlier part', async () => {
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

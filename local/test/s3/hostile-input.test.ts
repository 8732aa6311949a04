import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { createPresignedPost } from '@aws-sdk/s3-presigned-post';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { describe, expect, test } from '@jest/globals';
import { s3, client, Bucket, put, text } from './server-suite.ts';

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

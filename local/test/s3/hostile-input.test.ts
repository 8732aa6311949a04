import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { GetObjectCommand } from '@aws-sdk/client-s3';
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
    },
  );
});

import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { open, readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { describe, expect, test } from '@jest/globals';
import { s3, client, Bucket, put, keys, refusal, remove } from './server-suite.ts';

describe('simultaneous use', () => {
  test('returns one complete version to each reader', async () => {
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
      else await remove('slow');
      const pieces: Buffer[] = [];
      for await (const piece of body as Readable) pieces.push(piece as Buffer);
      expect(Buffer.concat(pieces).equals(old)).toBe(true);
    },
  );

  test('leaves no temporary file after a refused, an interrupted and a stored upload', async () => {
    await put('stored');
    await refusal(put('refused', { ChecksumCRC32: 'AAAAAA==' }));
    const url = new URL(
      await getSignedUrl(client, new PutObjectCommand({ Bucket, Key: 'cut-off' })),
    );
    const socket = connect(Number(url.port), '127.0.0.1');
    socket.write(
      `PUT ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\ncontent-length: 190000\r\n\r\n`,
    );
    socket.write(Buffer.alloc(150_000));
    const temporary = () => readdir(join(s3.dataDir, Bucket, 'tmp'));
    while ((await temporary()).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    socket.destroy();
    // The server sees the end of a connection a moment later, on a busy machine after seconds.
    for (let tries = 0; tries < 200 && (await temporary()).length > 0; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await temporary()).toEqual([]);
    expect(await keys()).toEqual(['stored']);
  });

  test('answers the next request on a connection whose last body was refused midway', async () => {
    const { host, port } = new URL(s3.server.url);
    const socket = connect(Number(port), '127.0.0.1');
    const command = new DeleteObjectsCommand({ Bucket, Delete: { Objects: [{ Key: 'a' }] } });
    const unsignableHeaders = new Set(['content-length']);
    const url = new URL(await getSignedUrl(client, command, { unsignableHeaders }));
    const body = 'x'.repeat(3_000_000);
    const head = `host: ${host}\r\ncontent-length: ${body.length}`;
    socket.write(`POST ${url.pathname}${url.search} HTTP/1.1\r\n${head}\r\n\r\n${body}`);
    socket.write(`GET /bucket/a HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`);
    let answers = '';
    socket.on('data', (data: Buffer) => (answers += data.toString()));
    await once(socket, 'close');
    expect(answers.match(/<Code>\w+/g)).toEqual(['<Code>EntityTooLarge', '<Code>AccessDenied']);
  });

  test('does not join a part whose bytes were changed', async () => {
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

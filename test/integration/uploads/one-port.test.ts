import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CloudProcess } from '../../fixtures/clouds/cloud-process.ts';
import { keptPort } from '../../fixtures/clouds/kept-port.ts';

/** Nobody has this address (RFC 5737), so only the cloud's own way to itself can lead there. */
const publicUrl = 'http://192.0.2.7:9999';
const stateDir = mkdtempSync(join(tmpdir(), 'slipway-network-'));
let cloud: CloudProcess;
let port = 0;

beforeAll(async () => {
  port = await keptPort();
  cloud = new CloudProcess(stateDir, [
    `--port=${port}`,
    `--public-url=${publicUrl}`,
    '--sites-domain=sites.box.test:9999',
  ]);
  expect(await cloud.ready()).toBe(publicUrl);
}, 200_000);

afterAll(async () => {
  await cloud.end('SIGTERM');
  rmSync(stateDir, { recursive: true, force: true });
});

/** Sends to the cloud's only public port, as a network would that knows the names. */
async function send(method: string, url: string, body?: string | Uint8Array, type?: string) {
  const { host, pathname, search } = new URL(url);
  const headers = {
    host,
    ...(type !== undefined && { 'content-type': type }),
    ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
  };
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    request(
      { host: '127.0.0.1', port, method, path: pathname + search, headers, agent: false },
      (response) => {
        buffer(response).then(
          (bytes) => resolve({ status: response.statusCode ?? 0, text: bytes.toString() }),
          reject,
        );
      },
    )
      .on('error', reject)
      .end(body);
  });
}

test('a signed upload needs the one port of the service only, and its site is below --sites-domain', async () => {
  const page = '<!doctype html><title>From a phone</title>';
  const announced = await send(
    'POST',
    `${publicUrl}/v1/uploads`,
    JSON.stringify({ files: [{ path: 'index.html', size: page.length }] }),
    'application/json',
  );
  expect(announced).toMatchObject({ status: 201 });
  const { uploadId, parts } = JSON.parse(announced.text).data;
  expect(new URL(parts[0].url).origin).toBe(publicUrl);

  expect(await send('PUT', parts[0].url, page)).toMatchObject({ status: 200 });
  const forged = parts[0].url.replace(/Signature=.{4}/, 'Signature=0000');
  expect(await send('PUT', forged, page)).toMatchObject({ status: 403 });
  expect(await send('GET', `${publicUrl}/_local/s3/`)).toMatchObject({ status: 403 });

  const published = await send(
    'POST',
    `${publicUrl}/v1/projects/temp`,
    JSON.stringify({ uploadId }),
    'application/json',
  );
  expect(published).toMatchObject({ status: 200 });
  const { url } = JSON.parse(published.text).data;
  expect(new URL(url).host).toMatch(/\.sites\.box\.test:9999$/);
  expect(await send('GET', url)).toMatchObject({
    status: 200,
    text: expect.stringContaining('From a phone'),
  });
});

test('a site keeps its own files below the path of S3', async () => {
  const published = await send('GET', 'http://nobody.sites.box.test:9999/_local/s3/x');
  expect(published.status).toBe(404);
  expect(published.text).not.toContain('<Code>');
});

test('localhost still leads to the app', async () => {
  expect(await send('GET', `http://localhost:${port}/health`)).toMatchObject({ status: 200 });
  expect(await send('GET', `http://127.0.0.1:${port}/_local/mail.json`)).toMatchObject({
    status: 200,
  });
});

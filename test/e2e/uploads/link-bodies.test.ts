import { request } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { sendWith, signIn } from '../../fixtures/accounts/accounts.ts';
import { ask, baseUrl, isLocal, somebody } from '../../fixtures/clouds/client.ts';

async function aLink(): Promise<string> {
  const key = await signIn();
  return (await sendWith(key, `${baseUrl}/v1/upload-links`, {})).json.data.uploadUrl;
}

interface Sent {
  status: number;
  json: any;
}

/** PUTs a body, in chunks unless its length is given, as `curl -T - LINK/` sends a pipe. */
function put(url: string, body: Buffer, headers: Record<string, string> = {}): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const { host, port, pathname } = new URL(url);
    const options = { host: '127.0.0.1', port, path: pathname, localAddress: somebody() };
    const sent = request({ ...options, method: 'PUT', headers: { host, ...headers } }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          json: JSON.parse(Buffer.concat(chunks).toString()),
        }),
      );
    });
    sent.on('error', reject);
    sent.write(body.subarray(0, 1000));
    sent.end(body.subarray(1000));
  });
}

const putSized = (url: string, body: Buffer, headers: Record<string, string> = {}) =>
  put(url, body, { 'content-length': String(body.length), ...headers });

const linkStep = '/v1/upload-links/{link}/uploads';

// Codes are read from the local inbox.
(isLocal ? describe : describe.skip)('point 8: a plain body at an upload link', () => {
  test('without a length that is too large names the next step of a link', async () => {
    const { status, json } = await put(await aLink(), Buffer.alloc(5_000_000));
    expect(status).toBe(413);
    expect(json.nextStep).toContain(linkStep);
  });

  test('of the size that the edge still lets through is published, whatever its headers', async () => {
    const headers = { 'x-padding': '"'.repeat(7000) };
    const body = Buffer.alloc(4_650_000);
    const answer = await putSized(`${await aLink()}/z.bin`, body, headers);
    expect([answer.status, answer.json.nextStep]).toEqual([200, undefined]);
  });

  test('of a byte more is refused at the edge, with the next step of a link', async () => {
    const body = Buffer.alloc(4_650_001);
    const answer = await putSized(`${await aLink()}/z.bin`, body);
    expect(answer.status).toBe(413);
    expect(answer.json.nextStep).toContain(linkStep);
  });

  test('of a file called uploads is published', async () => {
    const answer = await putSized(`${await aLink()}/uploads`, Buffer.from('x'));
    expect(answer.status).toBe(200);
    expect((await ask(`${answer.json.data.url}/uploads`)).status).toBe(200);
  });

  test('is named by a header of UTF-8 bytes', async () => {
    const headers = { 'x-filename': Buffer.from('café.txt').toString('latin1') };
    const answer = await putSized(await aLink(), Buffer.from('x'), headers);
    expect((await ask(`${answer.json.data.url}/caf%C3%A9.txt`)).status).toBe(200);
  });

  test('has a preflight where the URL names the file, and no GET', async () => {
    const url = `${await aLink()}/name.txt`;
    const foreign = { origin: 'https://elsewhere.example', 'access-control-request-method': 'PUT' };
    const { status, headers } = await ask(url, { method: 'OPTIONS', headers: foreign });
    expect([status, headers['access-control-allow-origin']]).toEqual([204, '*']);
    expect(String(headers['access-control-allow-methods']).split(',')).toContain('PUT');
    expect((await ask(url)).status).toBe(405);
  });
});

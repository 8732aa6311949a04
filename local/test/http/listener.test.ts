import { request } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { startListener } from '../../http/listener.ts';
import type { HttpRequest, HttpResponse } from '../../http/http.ts';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function start(
  answer: (request: HttpRequest) => Partial<HttpResponse>,
  requestTimeoutMs?: number,
) {
  const requests: HttpRequest[] = [];
  const front = await startListener({
    port: 0,
    log: () => undefined,
    handle: async (request) => {
      requests.push(request);
      return { status: 200, headers: {}, body: Buffer.from('ok'), ...answer(request) };
    },
    ...(requestTimeoutMs !== undefined && { requestTimeoutMs }),
  });
  ends.push(() => front.close());
  const { port } = front;
  return { port, url: `http://127.0.0.1:${port}`, requests };
}

/** Sends bytes as they are and gives everything that comes back until the other side hangs up. */
function send(port: number, text: string, end = false): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => (end ? socket.end(text) : socket.write(text)));
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString()));
    socket.on('error', () => resolve(answer));
    socket.on('close', () => resolve(answer));
  });
}

describe('a request', () => {
  test('is passed on unchanged', async () => {
    const { port, requests } = await start(() => ({}));
    await send(
      port,
      'POST /a%20b//c?x=%2F HTTP/1.1\r\nHost: LocalHost:1\r\nX-Two: 1\r\nX-Two: 2\r\nConnection: close\r\nContent-Length: 3\r\n\r\nabc',
    );
    expect(requests[0]).toMatchObject({
      method: 'POST',
      path: '/a%20b//c',
      query: 'x=%2F',
      headers: { host: 'LocalHost:1', 'x-two': '1, 2' },
      viewer: { address: '127.0.0.1' },
    });
    expect(requests[0]?.body.toString()).toBe('abc');
  });

  test('of Safari has its cookies of localhost under another name, without Secure', async () => {
    const { url, requests } = await start(() => ({
      headers: { 'set-cookie': ['__Host-a=1; Path=/; Secure; HttpOnly', 'b=2; Path=/'] },
    }));
    const ask = async (browser: string, cookie: string) => {
      const { headers } = await fetch(url, { headers: { 'user-agent': browser, cookie } });
      return headers.getSetCookie();
    };
    const webKit =
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)';
    const chrome = `${webKit} Chrome/142.0.0.0 Safari/537.36`;
    const cookies = 'localhost-a=1; c=localhost-a=1; localhost-d=4';
    expect(await ask(`${webKit} Version/26.1 Safari/605.1.15`, cookies)).toEqual([
      'localhost-a=1; Path=/; HttpOnly',
      'b=2; Path=/',
    ]);
    expect(await ask(chrome, cookies)).toEqual([
      '__Host-a=1; Path=/; Secure; HttpOnly',
      'b=2; Path=/',
    ]);
    expect(requests.map(({ headers }) => headers['cookie'])).toEqual([
      '__Host-a=1; c=localhost-a=1; __Host-d=4',
      cookies,
    ]);
  });

  test('may name an IPv6 address that it comes from, and nothing else', async () => {
    const { url, requests } = await start(() => ({}));
    for (const named of ['2001:db8:7:1::1', '192.0.2.7', 'localhost']) {
      await fetch(url, { headers: { 'x-local-viewer-address': named } });
    }
    const [first, ...others] = requests;
    expect(first?.viewer.address).toBe('2001:db8:7:1::1');
    for (const { viewer } of others) expect(viewer.address).toBe('127.0.0.1');
    for (const { headers } of requests)
      expect(headers).not.toHaveProperty('x-local-viewer-address');
  });

  test('with an absolute URL in its first line is accepted', async () => {
    const { port, requests } = await start(() => ({}));
    await send(
      port,
      'GET http://localhost/v1?a HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    );
    expect(requests[0]).toMatchObject({ path: '/v1', query: 'a' });
  });

  test.each([
    ['http://one.example:81/a', '/a'],
    ['HTTP://one.example:81?q', '/'],
  ])('for %s goes to the host of its first line, whatever `Host` says', async (target, path) => {
    const { port, requests } = await start(() => ({}));
    await send(port, `GET ${target} HTTP/1.1\r\nHost: two.example\r\nConnection: close\r\n\r\n`);
    expect(requests[0]).toMatchObject({ path, headers: { host: 'one.example:81' } });
  });

  test.each([
    ['two hosts', '/', 'Host: one.example\r\nhost: two.example'],
    ['one host twice', '/', 'Host: one.example\r\nHost: one.example'],
    ['two hosts before a body', '/', 'Host: one.example\r\nHost: b\r\nExpect: 100-continue'],
    ['a user in its first line', 'http://one.example@two.example/', 'Host: one.example'],
    ['no host in its first line', 'http:///a', 'Host: one.example'],
  ])('with %s gets a 400 with an error code', async (_, target, hosts) => {
    const { port, requests } = await start(() => ({}));
    const answer = await send(port, `GET ${target} HTTP/1.1\r\n${hosts}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 .*INVALID_REQUEST/s);
    expect(requests).toEqual([]);
  });

  test('whose body is incomplete is dropped', async () => {
    const { port, requests } = await start(() => ({}));
    await send(port, 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nabc', true);
    expect(requests).toEqual([]);
  });

  test('that is not HTTP gets a 400 with an error code', async () => {
    const { port } = await start(() => ({}));
    const answer = await send(port, 'HELLO\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({
      code: 'INVALID_REQUEST',
      details: [],
    });
  });

  test('whose body does not arrive gets a 408 with an error code, and others do not wait for it', async () => {
    const { port, url } = await start(() => ({}), 1500);
    const head = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nabc';
    const stalled = Array.from({ length: 100 }, () => send(port, head));
    expect((await fetch(url, { method: 'POST', body: 'sound' })).status).toBe(200);
    for (const answer of await Promise.all(stalled))
      expect(answer).toMatch(/^HTTP\/1\.1 408 .*TIMEOUT/s);
  }, 20_000);
});

describe('a body over 10 MB', () => {
  const limit = 10 * 1024 * 1024;

  test('is passed on as one byte too many and answered before it is read', async () => {
    const { url, requests } = await start(({ body }) => ({
      status: body.length > limit ? 413 : 200,
    }));
    for (let round = 0; round < 10; round += 1) {
      const answer = await fetch(url, { method: 'POST', body: Buffer.alloc(30_000_000) });
      expect([answer.status, await answer.text()]).toEqual([413, 'ok']);
    }
    expect(requests[0]?.body).toHaveLength(limit + 1);
  });

  test('of unknown length is refused the same way', async () => {
    const { url, requests } = await start(({ body }) => ({
      status: body.length > limit ? 413 : 200,
    }));
    const body = new Blob([Buffer.alloc(11_000_000)]).stream();
    const answer = await fetch(url, { method: 'POST', body, duplex: 'half' });
    expect(answer.status).toBe(413);
    expect(requests[0]?.body).toHaveLength(limit + 1);
  });

  test('is not requested if the client waits for 100 Continue', async () => {
    const { port } = await start(() => ({ status: 413 }));
    const head = (length: number) =>
      `POST / HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n`;
    const refused = connect(port, '127.0.0.1', () => refused.write(head(limit + 1)));
    const first = await new Promise<string>((resolve) =>
      refused.once('data', (chunk) => resolve(chunk.toString())),
    );
    refused.destroy();
    expect(first).toMatch(/^HTTP\/1\.1 413 /);
    const wanted = connect(port, '127.0.0.1', () => wanted.write(head(3)));
    const second = await new Promise<string>((resolve) =>
      wanted.once('data', (chunk) => resolve(chunk.toString())),
    );
    wanted.destroy();
    expect(second).toMatch(/^HTTP\/1\.1 100 /);
  });

  test('of any length is requested for another server', async () => {
    const front = await startListener({
      port: 0,
      log: () => undefined,
      otherServer: () => (request, response) => {
        // S3 answers when it has read the whole body.
        request.resume().once('end', () => response.end('stored'));
      },
      handle: () => Promise.reject(new Error('is for another server')),
    });
    ends.push(() => front.close());
    const body = Buffer.alloc(limit + 1);
    const answered = new Promise<string[]>((resolve, reject) => {
      const events: string[] = [];
      const headers = { expect: '100-continue', 'content-length': body.length };
      const sent = request({ port: front.port, method: 'PUT', headers }, (response) => {
        response.on('data', (chunk: Buffer) => events.push(chunk.toString()));
        response.on('end', () => resolve(events));
      });
      sent.once('continue', () => {
        events.push('continue');
        sent.end(body);
      });
      sent.once('error', reject);
      sent.flushHeaders();
    });
    expect(await answered).toEqual(['continue', 'stored']);
  });

  test('of exactly 10 MB is complete', async () => {
    const { url, requests } = await start(() => ({}));
    await fetch(url, { method: 'POST', body: Buffer.alloc(limit) });
    expect(requests[0]?.body).toHaveLength(limit);
  });
});

test('a port in use gives one clear line', async () => {
  const { port } = await start(() => ({}));
  const second = startListener({
    port,
    log: () => undefined,
    handle: async () => ({ status: 200, headers: {}, body: Buffer.alloc(0) }),
  });
  await expect(second).rejects.toThrow(`Port ${port} is in use. Choose another one with --port.`);
});

test('a handler that throws gives a 502 with an error code and no internals', async () => {
  const { url } = await start(() => {
    throw new Error('secret detail');
  });
  const answer = await fetch(url);
  expect(answer.status).toBe(502);
  const text = await answer.text();
  expect(JSON.parse(text)).toMatchObject({ code: 'INTERNAL', requestId: expect.any(String) });
  expect(text).not.toContain('secret detail');
});

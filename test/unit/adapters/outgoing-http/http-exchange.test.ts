import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { connections, maxErrorBytes } from '../../../../adapters/outgoing-http/http-exchange.ts';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** The response to a GET of a server that answers so. */
async function responseOf(listener: RequestListener, maxBytes = 100) {
  const server = createServer(listener);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const pool = connections();
  ends.push(() => {
    pool.close();
    server.closeAllConnections();
    server.close();
  });
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const request = { url, method: 'GET', headers: {}, body: '', maxBytes };
  return pool.exchange(request, { connectMs: 1000, silenceMs: 1000, totalMs: 2000 });
}

test('reads a body of exactly its limit, in several pieces', async () => {
  const { status, body } = await responseOf((_, response) => {
    response.write('x'.repeat(60), () => response.end('y'.repeat(40)));
  });
  expect([status, body.toString()]).toEqual([200, 'x'.repeat(60) + 'y'.repeat(40)]);
});

test('cuts the body of a refusal at its own limit', async () => {
  const { status, body } = await responseOf((_, response) => {
    response.writeHead(403).end('x'.repeat(2 * maxErrorBytes));
  });
  expect([status, body.length]).toEqual([403, maxErrorBytes]);
});

test('says with a code that a body broke off', async () => {
  const broken = responseOf((_, response) => {
    response.writeHead(200, { 'content-length': '10' });
    response.write('12345', () => response.destroy());
  });
  await expect(broken).rejects.toMatchObject({ code: 'ECONNRESET' });
});

test('ends at once when the answer changes the protocol or the connection ends without one', async () => {
  const changed = responseOf(({ socket }) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');
  });
  await expect(changed).rejects.toThrow('changes the protocol');
  await expect(responseOf(({ socket }) => socket.destroy())).rejects.toThrow('socket hang up');
});

test('ends after its time when hints come without an answer', async () => {
  const timer = (socket: Socket) => {
    const dripping = setInterval(() => {
      socket.write('HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n');
    }, 100);
    ends.push(() => clearInterval(dripping));
  };
  const hints = responseOf(({ socket }) => timer(socket));
  await expect(hints).rejects.toMatchObject({ code: 'ETIMEDOUT' });
});

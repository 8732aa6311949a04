import type { LookupAddress } from 'node:dns';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import {
  clientDocuments,
  publicLookup,
} from '../../../../adapters/outgoing-http/client-documents.ts';
import { connections } from '../../../../adapters/outgoing-http/http-exchange.ts';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  }
});

/** A host that answers so, at an address by its name alone. */
async function aHost(answer: RequestListener): Promise<URL> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return new URL(`http://documents.example:${port}/client.json`);
}

const here: LookupAddress[] = [{ address: '127.0.0.1', family: 4 }];
/** Documents of hosts that are all on this computer, which a deployed service would refuse. */
const documents = () =>
  clientDocuments(
    connections({
      lookup: (_, options, callback) =>
        options.all === true ? callback(null, here) : callback(null, '127.0.0.1', 4),
    }),
  );
const json = (body: string, type = 'application/json'): RequestListener => {
  return (_, response) => response.writeHead(200, { 'content-type': type }).end(body);
};

describe('a document', () => {
  test.each(['application/json', 'application/json; charset=utf-8', 'Application/cimd+json'])(
    'of %s is read',
    async (type) => {
      const url = await aHost(json('{"client_name":"Grüße"}', type));
      expect(await documents().fetch(url)).toBe('{"client_name":"Grüße"}');
    },
  );

  test('is requested as JSON, without our own headers', async () => {
    const headers: object[] = [];
    const url = await aHost((request, response) => {
      headers.push(request.headers);
      json('{}')(request, response as never);
    });
    await documents().fetch(url);
    expect(headers).toEqual([
      {
        accept: 'application/json',
        'accept-encoding': 'identity',
        connection: 'keep-alive',
        host: url.host,
      },
    ]);
  });

  test('of 5 kB is read, a larger one is not', async () => {
    expect(await documents().fetch(await aHost(json('x'.repeat(5120))))).toHaveLength(5120);
    await expect(documents().fetch(await aHost(json('x'.repeat(5121))))).rejects.toThrow('5120');
  });

  test('of endless length is not read further', async () => {
    let sent = 0;
    const url = await aHost((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const more = () => {
        sent += 1000;
        if (!response.destroyed) response.write('x'.repeat(1000), () => setImmediate(more));
      };
      more();
    });
    await expect(documents().fetch(url)).rejects.toThrow('5120');
    expect(sent).toBeLessThan(1_000_000);
  });

  test.each([
    ['a page', json('<html>', 'text/html'), 'application/json'],
    ['no type', ((_, response) => response.end('{}')) as RequestListener, 'application/json'],
    ['a type of a similar name', json('{}', 'application/jsonp'), 'application/json'],
    [
      'a redirect',
      ((_, response) =>
        response.writeHead(302, { location: 'http://127.0.0.1/' }).end()) as RequestListener,
      '302',
    ],
    ['an error', ((_, response) => response.writeHead(500).end('{}')) as RequestListener, '500'],
    ['nothing there', ((_, response) => response.writeHead(404).end()) as RequestListener, '404'],
    ['no content', ((_, response) => response.writeHead(204).end()) as RequestListener, ''],
    [
      'a hang-up',
      ((request) => request.socket.destroy()) as RequestListener,
      'could not be reached',
    ],
  ])('is not what answers with %s', async (_, answer, reason) => {
    await expect(documents().fetch(await aHost(answer))).rejects.toThrow(reason);
  });

  test('on an unreachable host causes an error without network details', async () => {
    const url = await aHost(json('{}'));
    await new Promise((closed) => servers.pop()?.close(closed));
    await expect(documents().fetch(url)).rejects.toThrow(/^its host could not be reached$/);
  });
});

describe('a lookup', () => {
  const tell = (addresses: string[], error: Error | null = null) =>
    publicLookup((_, callback) =>
      callback(
        error,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      ),
    );
  const ask = (addresses: string[], options: { all?: boolean } = {}, error: Error | null = null) =>
    new Promise((resolve) => {
      tell(addresses, error)('documents.example', options, (...callback) => resolve(callback));
    });

  test('returns only checked addresses', async () => {
    const both = ['8.8.8.8', '2001:4860:4860::8888'];
    expect(await ask(both, { all: true })).toEqual([
      null,
      [
        { address: '8.8.8.8', family: 4 },
        { address: '2001:4860:4860::8888', family: 6 },
      ],
    ]);
    expect(await ask(both)).toEqual([null, '8.8.8.8', 4]);
  });

  test.each([
    [['127.0.0.1']],
    [['8.8.8.8', '10.0.0.1']],
    [['2001:4860:4860::8888', '::ffff:169.254.169.254']],
  ])('refuses a host at %j', async (addresses) => {
    for (const all of [true, false]) {
      const [error] = (await ask(addresses, { all })) as [Error];
      expect(error.message).toBe('its host has no public address');
    }
  });

  test('returns the error for an unknown host', async () => {
    const [none] = (await ask([])) as [Error];
    expect(none.message).toContain('no public address');
    const failure = new Error('ENOTFOUND');
    expect(await ask([], {}, failure)).toEqual([failure, '']);
  });
});

test.each(['localhost', 'localhost.localdomain'])(
  'a connection to %s is refused before it is made',
  async (host) => {
    const requestedPaths: string[] = [];
    const url = await aHost((request, response) => {
      requestedPaths.push(request.url ?? '');
      response.end('{}');
    });
    url.hostname = host;
    await expect(clientDocuments().fetch(url)).rejects.toThrow(/no public address|not be reached/);
    expect(requestedPaths).toEqual([]);
  },
);

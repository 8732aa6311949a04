import type { RequestListener } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { publicLookup } from '../../../../adapters/outgoing-http/client-documents.ts';
import { type Connections, connections } from '../../../../adapters/outgoing-http/http-exchange.ts';
import { remotePictures } from '../../../../adapters/outgoing-http/picture-client.ts';
import { aPng, PictureHost } from '../../../fixtures/uploads/picture-host.ts';

let host: PictureHost;
beforeEach(async () => {
  host = await new PictureHost().start();
});
afterEach(() => host.close());

const limits = { maxBytes: 1000, totalMs: 3000 };
const onLaptop = remotePictures({ allowsLoopback: true });
const deployed = remotePictures({ allowsLoopback: false });
const to = (location: string): RequestListener => {
  return (_, response) => void response.writeHead(302, { location, 'content-length': 0 }).end();
};

test('a picture is fetched, and says who asks', async () => {
  let agent = '';
  host.answers['/a.png'] = ({ headers }, response) => {
    agent = headers['user-agent'] ?? '';
    response.end(aPng);
  };
  const { bytes } = (await onLaptop.get(host.url('/a.png'), limits)) as { bytes: Uint8Array };
  expect(Buffer.from(bytes)).toEqual(aPng);
  expect(agent).toBe('Slipway-Pictures/1');
});

test('redirects are followed, five at most', async () => {
  host.answers['/a'] = to('/b');
  host.answers['/b'] = to(host.url('/c.png'));
  expect(await onLaptop.get(host.url('/a'), limits)).toHaveProperty('bytes');
  host.answers['/round'] = to('/round');
  host.got.length = 0;
  expect(await onLaptop.get(host.url('/round'), limits)).toEqual({
    reason: 'it leads on more than 5 times',
  });
  expect(host.got).toHaveLength(6);
});

const notPublic =
  'its address is not one of the public internet, over https and without a password';

describe('no address inside is reached', () => {
  test.each([
    'https://127.0.0.1/a.png',
    'https://10.0.0.1/a.png',
    'https://[::1]/a.png',
    'https://169.254.169.254/latest/meta-data',
    'http://2130706433/a.png',
    'https://user:password@example.org/a.png',
    'https://internal/a.png',
  ])('%s', async (url) => {
    expect(await deployed.get(url, limits)).toEqual({ reason: notPublic });
  });

  test('nor by a name, when it is looked up for the connection itself', async () => {
    const lookup = publicLookup((_, tell) => tell(null, [{ address: '10.0.0.7', family: 4 }]));
    const inside = remotePictures({ allowsLoopback: false, over: () => connections({ lookup }) });
    expect(await inside.get('https://pictures.example.org/a.png', limits)).toEqual({
      reason: 'its host has no public address',
    });
  });

  test.each([
    'http://10.0.0.1/a.png',
    'https://192.168.1.1/a.png',
    'http://169.254.169.254/',
    'https://[fd00::1]/',
    'ftp://127.0.0.1/a.png',
    'file:///etc/passwd',
    'data:image/png;base64,AAAA',
  ])('nor by a redirect to %s', async (location) => {
    host.answers['/a.png'] = to(location);
    expect(await onLaptop.get(host.url('/a.png'), limits)).toEqual({ reason: notPublic });
  });

  test('a site of others does not lead to the own computer, also on a laptop', async () => {
    // Its connections are those to the host here, whatever its name is.
    const over = () => {
      const here = connections();
      const exchange: Connections['exchange'] = (request, timeouts) => {
        const url = new URL(host.url(request.url.pathname));
        return here.exchange({ ...request, url }, timeouts);
      };
      return { ...here, exchange };
    };
    host.answers['/a.png'] = to(host.url('/inside.png'));
    const outside = remotePictures({ allowsLoopback: true, over });
    expect(await outside.get('https://elsewhere.example.org/a.png', limits)).toEqual({
      reason: notPublic,
    });
    expect(host.got).toEqual(['/a.png']);
  });
});

describe('a host that means harm costs little', () => {
  test.each<[string, RequestListener, string]>([
    [
      'a body without an end',
      (_, response) => {
        const more = () => response.write('x'.repeat(100), () => setImmediate(more));
        more();
      },
      'the answer is larger than 1000 bytes',
    ],
    [
      'a body of unknown length',
      ({ socket }) => void socket.end('HTTP/1.0 200 OK\r\n\r\nGIF89a'),
      'the answer does not say how long it is',
    ],
    [
      'a slow drip',
      (_, response) => {
        const drip = setInterval(() => response.write('x'), 20);
        response.on('close', () => clearInterval(drip));
      },
      'there was no whole answer in time',
    ],
    ['no answer', () => undefined, 'there was no whole answer in time'],
    ['no picture', (_, response) => void response.writeHead(404).end(), 'its site answered 404'],
    ['a redirect to nowhere', to('http://[x'), 'it leads to an address that is none'],
  ])('%s', async (_, answer, reason) => {
    host.answers['/a.png'] = answer;
    const begun = performance.now();
    expect(await onLaptop.get(host.url('/a.png'), { ...limits, totalMs: 500 })).toEqual({ reason });
    expect(performance.now() - begun).toBeLessThan(3000);
  });

  test('the time is for all redirects together', async () => {
    host.answers['/a'] = (request, response) =>
      void setTimeout(() => to('/a')(request, response), 200);
    expect(await onLaptop.get(host.url('/a'), { ...limits, totalMs: 500 })).toEqual({
      reason: 'there was no whole answer in time',
    });
    expect(host.got.length).toBeLessThan(5);
  });

  test('an address without an end', async () => {
    const url = host.url(`/${'a'.repeat(3000)}`);
    expect(await onLaptop.get(url, limits)).toEqual({ reason: 'its address is too long' });
  });
});

test('where a text says http, https is tried, as browsers do', async () => {
  const asked: string[] = [];
  const over = () => ({
    ...connections(),
    exchange: async ({ url }: { url: URL }) => {
      asked.push(url.href);
      return { status: 200, headers: {}, body: aPng };
    },
  });
  const client = remotePictures({ allowsLoopback: false, over });
  expect(await client.get('http://example.org/a.png', limits)).toHaveProperty('bytes');
  expect(asked).toEqual(['https://example.org/a.png']);
});

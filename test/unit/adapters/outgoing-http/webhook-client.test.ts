import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { connections } from '../../../../adapters/outgoing-http/http-exchange.ts';
import { slowMilliseconds } from '../../../../core/webhooks/slow-webhooks.ts';
import { Receiver } from '../../../fixtures/webhooks/receiver.ts';
import { webhookClient } from '../../../../adapters/outgoing-http/webhook-client.ts';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  }
});

async function aReceiver(answer: RequestListener): Promise<URL> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/in`);
}

const goesOn = async () => true;
const post = (url: URL, body = '{}', mayGoOn = goesOn) =>
  webhookClient().post(url, { headers: { 'webhook-id': 'e1' }, body }, mayGoOn);

test('a body is posted with its headers, and the beginning of the answer is read', async () => {
  const receiver = await new Receiver().start();
  receiver.answer = (response) => response.writeHead(200).end('x'.repeat(1_000_000));
  const { status, body } = await post(new URL(receiver.url), '{"title":"Größe"}');
  await receiver.close();
  expect(receiver.got).toMatchObject([
    {
      body: '{"title":"Größe"}',
      headers: { 'webhook-id': 'e1', 'content-type': 'application/json' },
    },
  ]);
  expect([status, body]).toEqual([200, 'x'.repeat(1000)]);
});

test('an answer without a body or without an end is one', async () => {
  const empty = await aReceiver((_, response) => response.writeHead(204).end());
  expect(await post(empty)).toMatchObject({ status: 204, body: '' });
  const endless = await aReceiver((_, response) => {
    response.writeHead(500);
    const more = () => response.write('y'.repeat(100), () => setImmediate(more));
    more();
  });
  expect(await post(endless)).toMatchObject({ status: 500, body: 'y'.repeat(1000) });
});

test('a redirect is not followed', async () => {
  const asked: string[] = [];
  const inside = await aReceiver((request, response) => {
    asked.push(request.url ?? '');
    response.end();
  });
  const url = await aReceiver((_, response) =>
    response.writeHead(307, { location: inside.href, 'content-length': 0 }).end(),
  );
  expect(await post(url)).toMatchObject({ status: 307 });
  expect(asked).toEqual([]);
});

test('https goes to public addresses alone', async () => {
  const url = new URL('https://localhost/in');
  expect(await post(url)).toMatchObject({
    status: null,
    body: 'its host has no public address',
  });
});

test('an answer that does not come is none; why is said in words', async () => {
  const url = await aReceiver(() => undefined);
  const impatient = {
    ...connections(),
    exchange: async () => {
      throw Object.assign(new Error('no byte'), { code: 'ETIMEDOUT' });
    },
  };
  const slow = webhookClient(undefined, () => impatient);
  expect(await slow.post(url, { headers: {}, body: '' }, goesOn)).toMatchObject({
    status: null,
    body: 'there was no answer within ten seconds',
  });
  const closed = new URL('http://127.0.0.1:1/in');
  expect(await post(closed)).toMatchObject({ status: null, body: 'the connection was refused' });
});

test('who does not answer for two seconds is waited for if there is a place, which is asked for once', async () => {
  const answers: (() => void)[] = [];
  const url = await aReceiver((_, response) => {
    answers.push(() => response.writeHead(204).end());
  });
  let asked = 0;
  const goOn = async () => {
    asked += 1;
    for (const answer of answers) answer();
    return true;
  };
  expect(await post(url, '{}', goOn)).toMatchObject({ status: 204 });
  const refuse = async () => {
    asked += 1;
    return false;
  };
  const { status, body, milliseconds } = await post(url, '{}', refuse);
  expect([status, asked]).toEqual([null, 2]);
  expect(body).toBe(
    'there was no answer within two seconds, and other slow answers were waited for',
  );
  // So it counts as slow.
  expect(milliseconds).toBeGreaterThanOrEqual(slowMilliseconds);
  const quick = await aReceiver((_, response) => response.writeHead(204).end());
  expect(await post(quick, '{}', refuse)).toMatchObject({ status: 204 });
  expect(asked).toBe(2);
});

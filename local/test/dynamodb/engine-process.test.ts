import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterEach, expect, test } from '@jest/globals';
import { startEngineProcess } from '../../dynamodb/engine-process.ts';
import { closeServer, portOf } from '../../http/service-server.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** Somebody else, who answers every request. */
async function stranger() {
  let requests = 0;
  const server = createServer((_, response) => {
    requests += 1;
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => closeServer(server));
  return { port: portOf(server.address()), requests: () => requests };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server.address());
  server.close();
  await once(server, 'close');
  return port;
}

test('a port that is taken before the engine starts is replaced by another', async () => {
  const other = await stranger();
  const ports = [other.port, other.port, await freePort()];
  const engine = await startEngineProcess(
    temporaryFolder('engine'),
    async () => ports.shift() ?? 0,
  );
  ends.unshift(() => engine.close());

  expect(new URL(engine.url).port).not.toBe(String(other.port));
  expect(other.requests()).toBe(0);
  const answer = await fetch(engine.url, {
    method: 'POST',
    headers: {
      'x-amz-target': 'DynamoDB_20120810.ListTables',
      'content-type': 'application/x-amz-json-1.0',
      authorization:
        'AWS4-HMAC-SHA256 Credential=local/20250101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
      'x-amz-date': '20250101T000000Z',
    },
    body: '{}',
  });
  expect(await answer.json()).toEqual({ TableNames: [] });
});

test('an engine that cannot start reports the reason', async () => {
  const other = await stranger();
  const start = startEngineProcess(temporaryFolder('engine'), async () => other.port);
  await expect(start).rejects.toThrow(`port ${other.port} is already in use`);
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { maxErrorBytes } from '../../../../adapters/outgoing-http/http-exchange.ts';
import { AwsError } from '../../../../adapters/signed-calls/aws-error.ts';
import { type SignedCall, signedCalls } from '../../../../adapters/signed-calls/signed-calls.ts';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

const patience = { connectMs: 200, silenceMs: 300, totalMs: 900 };
const keys = { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'A', AWS_SECRET_ACCESS_KEY: 'S' };

interface Behaviour {
  (answer: ServerResponse, request: IncomingMessage): void;
}

/** A server that answers the first request as told first, and so on; the last one for ever. */
async function serverThat(...behaviours: Behaviour[]) {
  const sockets = new Set<Socket>();
  const seen: string[] = [];
  const server = createServer((request, answer) => {
    seen.push(request.url ?? '');
    behaviours[Math.min(seen.length, behaviours.length) - 1]?.(answer, request);
  });
  server.on('connection', (socket) => sockets.add(socket));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const calls = signedCalls({ ...keys, AWS_ENDPOINT_URL: url }, patience);
  ends.push(() => {
    calls.close();
    server.closeAllConnections();
    server.close();
  });
  const send = (change: Partial<SignedCall> = {}) =>
    calls.send({
      service: 's3',
      operation: 'GetObject',
      method: 'GET',
      url: new URL('/bucket/key', url),
      headers: {},
      maxBytes: 1000,
      ...change,
    });
  return { send, seen, sockets };
}

const fine: Behaviour = (answer) => answer.end('fine');
const says =
  (status: number, body = ''): Behaviour =>
  (answer) => {
    answer.statusCode = status;
    answer.end(body);
  };

/** Promises ten bytes, sends five and ends the connection. */
const cutOff: Behaviour = (answer) => {
  answer.writeHead(200, { 'content-length': '10' });
  answer.write('12345', () => answer.destroy());
};

describe('a temporary error is retried', () => {
  test.each<[string, Behaviour]>([
    ['503', says(503, '<Error><Code>SlowDown</Code></Error>')],
    ['500', says(500)],
    ['429', says(429)],
    ['too many calls', says(400, '{"__type":"x.y#ProvisionedThroughputExceededException"}')],
    ['a body that ends too soon', cutOff],
    ['a closed connection', (answer) => answer.destroy()],
    ['silence', () => undefined],
    [
      'a body that stops',
      (answer) => {
        answer.writeHead(200, { 'content-length': '10' });
        answer.write('12345');
      },
    ],
    [
      'no length',
      (answer) => {
        answer.socket?.end('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nfine?');
      },
    ],
    [
      'nothing that is HTTP',
      (answer) => {
        answer.socket?.end('220 ready\r\n');
      },
    ],
  ])('%s, then an answer', async (_, bad) => {
    const { send, seen } = await serverThat(bad, bad, fine);
    const { status, body } = await send();
    expect([status, body.toString()]).toEqual([200, 'fine']);
    expect(seen).toHaveLength(3);
  });

  test('up to three attempts in total', async () => {
    const { send, seen } = await serverThat(says(503, '<Error><Code>SlowDown</Code></Error>'));
    await expect(send()).rejects.toThrow('s3 GetObject: 503 SlowDown');
    expect(seen).toHaveLength(3);
  });
});

describe('a refusal', () => {
  test.each([
    ['{"__type":"com.amazon.coral.service#AccessDeniedException"}', 'AccessDeniedException'],
    ['{"message":"m","__type":"ResourceNotFoundException"}', 'ResourceNotFoundException'],
    ['<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>', 'AccessDenied'],
    ['<html>', 'unknown'],
    ['', 'unknown'],
  ])('%s is thrown immediately with its code', async (body, code) => {
    const { send, seen } = await serverThat(says(403, body));
    const error = await send().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(AwsError);
    expect(error).toMatchObject({ status: 403, code, message: `s3 GetObject: 403 ${code}` });
    expect(seen).toHaveLength(1);
  });

  test('a redirect is not followed', async () => {
    const { send, seen } = await serverThat((answer) => {
      answer.writeHead(307, { location: '/elsewhere' });
      answer.end();
    });
    await expect(send()).rejects.toMatchObject({ status: 307 });
    expect(seen).toEqual(['/bucket/key']);
  });

  test('of endless length is read only up to the error limit', async () => {
    let sent = 0;
    let closed = Promise.resolve<unknown>(undefined);
    const { send } = await serverThat((answer) => {
      answer.statusCode = 403;
      closed = once(answer, 'close');
      const more = () => {
        while (!answer.destroyed && answer.write('<Error><Code>Endless</Code>'.repeat(100))) {
          sent += 2700;
        }
        if (!answer.destroyed) answer.once('drain', more);
      };
      more();
    });
    await expect(send()).rejects.toMatchObject({ status: 403, code: 'Endless' });
    await closed;
    // Beside what was read, sockets hold some megabytes.
    expect(sent).toBeLessThan(maxErrorBytes + 16_000_000);
  });
});

describe('an answer', () => {
  test('larger than its limit is an error, and is not read further', async () => {
    const { send } = await serverThat((answer) => answer.end('x'.repeat(1001)));
    await expect(send()).rejects.toMatchObject({
      cause: { message: 'the answer is larger than 1000 bytes' },
    });
  });

  test('that arrives too slowly ends with a timeout', async () => {
    const { send, seen } = await serverThat((answer) => {
      answer.writeHead(200, { 'content-length': '1000' });
      const timer = setInterval(() => answer.write('x'), 50);
      answer.on('close', () => clearInterval(timer));
    });
    await expect(send()).rejects.toMatchObject({
      message: 's3 GetObject: no response',
      cause: { message: 'no whole answer within 900 ms' },
    });
    expect(seen).toHaveLength(3);
  });

  test('in chunks is read completely', async () => {
    const { send } = await serverThat((answer) => {
      answer.write('fi');
      answer.end('ne');
    });
    expect((await send()).body.toString()).toBe('fine');
  });
});

describe('connections', () => {
  test('serve one call after the other', async () => {
    const { send, sockets } = await serverThat(fine);
    await send();
    await send();
    expect(sockets.size).toBe(1);
  });

  test('that were closed while the function was frozen cost one attempt in total', async () => {
    const used = new Set<Socket>();
    const { send, seen } = await serverThat((answer, { socket }) => {
      if (used.has(socket)) socket.resetAndDestroy();
      used.add(socket);
      void setTimeout(100).then(() => answer.end('fine'));
    });
    await Promise.all([send(), send(), send(), send()]);
    expect(used.size).toBe(4);
    expect((await send()).body.toString()).toBe('fine');
    expect(seen).toHaveLength(6);
  });
});

describe('a host', () => {
  const call = { service: 'sqs', operation: 'SendMessage', method: 'POST' } as const;
  const sendTo = (port: number) => {
    const calls = signedCalls(keys, patience);
    ends.push(() => calls.close());
    const url = new URL(`http://127.0.0.1:${port}`);
    return calls.send({ ...call, url, headers: {}, body: '{}', maxBytes: 10 });
  };

  test('that refuses connections causes an error with the reason', async () => {
    const silent = createTcpServer();
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    const { port } = silent.address() as AddressInfo;
    silent.close();
    await expect(sendTo(port)).rejects.toMatchObject({
      message: 'sqs SendMessage: no response',
      cause: { code: 'ECONNREFUSED' },
    });
  });

  test('that sends nothing causes a timeout', async () => {
    const silent = createTcpServer((socket) => socket.resume());
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    ends.push(() => silent.close());
    await expect(sendTo((silent.address() as AddressInfo).port)).rejects.toMatchObject({
      cause: { message: 'no byte within 300 ms' },
    });
  });

  const onLinux = process.platform === 'linux' ? test : test.skip;
  onLinux('that accepts no connection is given up sooner', async () => {
    const code =
      "const s = require('net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => console.log(s.address().port))";
    const stopped = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
    ends.push(() => stopped.kill('SIGKILL'));
    const [line] = await once(stopped.stdout, 'data');
    stopped.kill('SIGSTOP');
    // Linux takes one more than the backlog by itself, and lets the others wait.
    const fillers = Array.from({ length: 4 }, () => connect(Number(line), '127.0.0.1'));
    ends.push(() => fillers.forEach((socket) => socket.destroy()));
    for (const socket of fillers) socket.on('error', () => undefined);
    await setTimeout(100);
    await expect(sendTo(Number(line))).rejects.toMatchObject({
      cause: { message: 'no connection within 200 ms' },
    });
  });
});

describe('an endpoint', () => {
  test.each([
    [{}, 's3', 'https://s3.us-east-1.amazonaws.com/', false],
    [{ AWS_ENDPOINT_URL: 'http://all' }, 'dynamodb', 'http://all/', true],
    [
      { AWS_ENDPOINT_URL: 'http://all', AWS_ENDPOINT_URL_SQS: 'http://sqs' },
      'sqs',
      'http://sqs/',
      true,
    ],
  ] as const)('under %j of %s is %s', (environment, service, href, isOverridden) => {
    const { url, isOverridden: own } = signedCalls({ ...keys, ...environment }).endpoint(service);
    expect([url.href, own]).toEqual([href, isOverridden]);
  });
});

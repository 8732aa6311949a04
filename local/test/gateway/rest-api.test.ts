import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { HttpRequest } from '../../http/http.ts';
import { movableClock } from '../../time/clock.ts';
import { createRestApi } from '../../gateway/rest-api.ts';
import { createFunction } from '../../lambda/create-function.ts';
import { aFunction, anApi, aRequest, bodyOf, functionArn } from './an-api.ts';

test('runs a real bundle from the request to the response, and refuses an event over 6 MB', async () => {
  const codeDir = await mkdtemp(join(tmpdir(), 'slipway-gateway-'));
  await writeFile(
    join(codeDir, 'index.mjs'),
    `export const handler = async (event) => ({
      statusCode: 200,
      body: JSON.stringify({ bytes: Buffer.from(event.body ?? '', 'base64').length, id: event.requestContext.requestId }),
    });`,
  );
  const clock = movableClock();
  const log = () => undefined;
  const fn = createFunction({
    name: 'system',
    arn: functionArn('system'),
    codeDir,
    handler: 'index.handler',
    environment: {},
    timeoutSeconds: 10,
    memoryMb: 256,
    clock,
    log,
  });
  const api = createRestApi({
    resources: anApi(),
    clock,
    log,
    invoke: (_name, event, onStart) => fn.invoke(event, onStart),
  });
  const upload = (bytes: number): HttpRequest =>
    aRequest({
      method: 'POST',
      path: '/v1/projects',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      body: Buffer.alloc(bytes),
    });

  const fits = await api.handle(upload(4_500_000));
  const tooLong = await api.handle(upload(4_800_000));
  await fn.close();
  await rm(codeDir, { recursive: true });

  expect(JSON.parse(bodyOf(fits))).toEqual({
    bytes: 4_500_000,
    id: fits.headers['x-amzn-requestid'],
  });
  expect([tooLong.status, bodyOf(tooLong)]).toEqual([413, '{"message":"Request Too Long"}']);
});

test('18: the time limit of an integration begins when its function starts, not while it waits for others', async () => {
  const codeDir = await mkdtemp(join(tmpdir(), 'slipway-gateway-'));
  await writeFile(
    join(codeDir, 'index.mjs'),
    `export const handler = async () => {
      await new Promise((done) => setTimeout(done, 400));
      return { statusCode: 200, body: '{}' };
    };`,
  );
  const clock = movableClock();
  const fn = createFunction({
    name: 'system',
    arn: functionArn('system'),
    codeDir,
    handler: 'index.handler',
    environment: {},
    timeoutSeconds: 10,
    memoryMb: 256,
    maxConcurrency: 1,
    clock,
    log: () => undefined,
  });
  const limited = aFunction('system', { timeoutInMillis: 1200 });
  const api = createRestApi({
    resources: anApi({ paths: { '/v1': { get: limited } } }),
    clock,
    log: () => undefined,
    invoke: (_name, event, onStart) => fn.invoke(event, onStart),
  });

  // The first one also waits for the bundle.
  await fn.invoke({});
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => api.handle(aRequest({ path: '/v1' }))),
  );
  await fn.close();
  await rm(codeDir, { recursive: true });

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
});

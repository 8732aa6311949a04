import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { startCloud } from '../cloud.ts';
import { startListener } from '../http/listener.ts';
import { temporaryFolder } from './temporary-folder.ts';

async function freePort(): Promise<number> {
  const front = await startListener({
    port: 0,
    log: () => undefined,
    handle: async () => ({ status: 200, headers: {}, body: Buffer.from('') }),
  });
  await front.close();
  return front.port;
}

function optionsWith(port: number, assembly: () => Promise<string>) {
  const folder = temporaryFolder('cloud');
  return {
    port,
    stateDir: join(folder, 'state'),
    assembly,
    log: () => undefined,
  };
}

test('the port is reserved while the cloud is built, and released when the start fails', async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/v1`;
  let early: Response | undefined;
  const options = optionsWith(port, async () => {
    early = await fetch(url);
    throw new Error('no bundles');
  });
  await expect(startCloud(options)).rejects.toThrow('no bundles');

  expect(early?.status).toBe(503);
  expect(early?.headers.get('retry-after')).toBe('1');
  expect(await early?.json()).toMatchObject({ code: 'NOT_READY', retryAfterSeconds: 1 });
  await expect(fetch(url)).rejects.toThrow();
  expect(existsSync(join(options.stateDir, 'lock'))).toBe(false);
});

test('a port in use stops the start before anything is built', async () => {
  let builds = 0;
  const count = async () => {
    builds += 1;
    return '';
  };
  const front = await startListener({
    port: 0,
    log: () => undefined,
    handle: async () => ({ status: 200, headers: {}, body: Buffer.from('') }),
  });
  try {
    const start = startCloud(optionsWith(front.port, count));
    await expect(start).rejects.toThrow(`Port ${front.port} is in use.`);
  } finally {
    await front.close();
  }
  expect(builds).toBe(0);
});

import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { anEmail, signIn } from '../../fixtures/accounts/accounts.ts';
import { ask, file } from '../../fixtures/clouds/client.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';
import { created } from '../../fixtures/projects/projects.ts';

const cloud = new LocalCloud();
let service = '';
beforeAll(async () => {
  ({ baseUrl: service } = await cloud.start());
}, 600_000);
afterAll(() => cloud.remove());

/** Removes all stored files, as a visit that was slow would find them after a removal; the rows stay. */
async function loseFiles(): Promise<void> {
  await cloud.kill();
  const folder = join(cloud.stateDir, 's3');
  const bucket = readdirSync(folder).find((name) => name.includes('content')) ?? '';
  for (const name of readdirSync(join(folder, bucket, 'objects'))) {
    rmSync(join(folder, bucket, 'objects', name));
  }
  await cloud.resume();
}

test('a page and a file whose objects are gone do not exist', async () => {
  const key = await signIn(anEmail(), service);
  const files = [file('index.html', '<h1>Mine</h1>'), file('a.css', 'a{}')];
  const { url } = await created(key, { files, service });
  const answers = async () => [(await ask(`${url}/`)).status, (await ask(`${url}/a.css`)).status];
  expect(await answers()).toEqual([200, 200]);
  await loseFiles();
  expect(await answers()).toEqual([404, 404]);
});

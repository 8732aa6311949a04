import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import JSZip from 'jszip';
import { anEmail, signIn } from '../../fixtures/accounts/accounts.ts';
import { ask, file } from '../../fixtures/clouds/client.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';
import { created } from '../../fixtures/projects/projects.ts';

const deflated = { type: 'nodebuffer', compression: 'DEFLATE' } as const;

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

test('a page and files whose objects are gone do not exist', async () => {
  const key = await signIn(anEmail(), service);
  const zip = new JSZip().file('index.html', '<h1>Mine</h1>').file('a.css', 'a{}');
  zip.file('large.txt', Buffer.alloc(5 * 1024 * 1024, 'large '));
  const files = [file('site.zip', await zip.generateAsync(deflated))];
  const { url } = await created(key, { files, service });
  // The address that streams it.
  const { location } = (await ask(`${url}/large.txt`)).headers;
  const paths = ['/', '/a.css', location ?? ''];
  const answers = () => Promise.all(paths.map(async (path) => (await ask(url + path)).status));
  expect(await answers()).toEqual([200, 200, 200]);
  await loseFiles();
  expect(await answers()).toEqual([404, 404, 404]);
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { collectFiles } from '../../../cli/local-files.ts';
import { type FolderWatch, watchFolders } from '../../../cli/watch/watch-folders.ts';

let folder = '';
let watch: FolderWatch;
const stop = new AbortController();
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'slipway-watch-'));
  mkdirSync(path.join(folder, 'dist', 'node_modules'), { recursive: true });
  write('dist/index.html');
  watch = watchFolders();
});
afterEach(() => {
  watch.close();
  rmSync(folder, { recursive: true, force: true });
});

function write(name: string): void {
  writeFileSync(path.join(folder, name), `${Math.random()}`);
}

const nothing = { ignore: [], rules: [] };
const read = async () =>
  watch.around(async (onFolder) =>
    collectFiles(['dist'], nothing, { cwd: folder, includeHidden: false, onFolder }),
  );

/** Whether a change is noticed while this runs. */
async function isNoticed(work: () => void): Promise<boolean> {
  const wait = new AbortController();
  const noticed = watch.nextChange(wait.signal).then(
    () => true,
    () => false,
  );
  work();
  return Promise.race([
    noticed,
    sleep(1000).then(() => {
      wait.abort();
      return noticed;
    }),
  ]);
}

test('a change, a new file, and a file in a new folder are each noticed', async () => {
  await read();
  expect(await isNoticed(() => write('dist/index.html'))).toBe(true);
  await read();
  expect(await isNoticed(() => mkdirSync(path.join(folder, 'dist/new')))).toBe(true);
  await read();
  expect(await isNoticed(() => write('dist/new/page.html'))).toBe(true);
});

test('nothing is noticed in what is left out, and beside the published path', async () => {
  await read();
  expect(await isNoticed(() => write('dist/node_modules/a.js'))).toBe(false);
  expect(await isNoticed(() => write('other.html'))).toBe(false);
});

test('a folder that is deleted and made again is watched again', async () => {
  await read();
  expect(await isNoticed(() => rmSync(path.join(folder, 'dist'), { recursive: true }))).toBe(true);
  await expect(read()).rejects.toThrow('dist does not exist');
  expect(await isNoticed(() => mkdirSync(path.join(folder, 'dist')))).toBe(true);
  write('dist/index.html');
  await read();
  expect(await isNoticed(() => write('dist/index.html'))).toBe(true);
});

test('a change between two reads is noticed at once, and many are one', async () => {
  await read();
  const began = Date.now();
  for (let number = 0; number < 50; number += 1) write(`dist/${number}.html`);
  await watch.nextChange(stop.signal);
  expect(Date.now() - began).toBeGreaterThan(200);
  await read();
  expect(await isNoticed(() => {})).toBe(false);
});

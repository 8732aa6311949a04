import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { interruptedUploads } from '../../../cli/interrupted-uploads.ts';
import type { LocalFile } from '../../../cli/local-file.ts';
import { connect } from '../../../cli/service.ts';

let home = '';
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'slipway-uploads-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const url = 'https://x.test';
const photo = { path: 'a.jpg', source: '/photos/a.jpg', size: 3_000_000, changedMs: 5 };
const minutes = (count: number) => new Date(Date.now() + count * 60_000).toISOString();
const upload = (expiresAt = minutes(60)) => ({
  uploadId: '3f0c6d52-8b1e-4f0a-9a57-2f6d1c9e7b10',
  expiresAt,
  parts: [{ path: 'a.jpg', method: 'PUT' as const, url: 'https://storage.test/a' }],
});

/** What is remembered for a caller at an installation. */
function uploadsOf(key: string, at = url) {
  const { signal } = new AbortController();
  const context = { env: { HOME: home }, platform: 'linux', operations: {}, signal } as const;
  return interruptedUploads(context, connect(context, at, key));
}

test('an upload goes on once, and only its owner can read its addresses', async () => {
  await uploadsOf('key').keep([photo], upload());
  const file = path.join(home, '.config', 'slipway', 'uploads.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await uploadsOf('key').take([photo])).toMatchObject({ parts: [{ path: 'a.jpg' }] });
  expect(await uploadsOf('key').take([photo])).toBeUndefined();
});

test.each<[string, string, string, LocalFile[]]>([
  ['another key', 'other', url, [photo]],
  ['another installation', 'key', 'https://y.test', [photo]],
  ['a file that changed', 'key', url, [{ ...photo, changedMs: 6 }]],
  ['a file of the same name elsewhere', 'key', url, [{ ...photo, source: '/other/a.jpg' }]],
  ['one file more', 'key', url, [photo, { ...photo, path: 'b.jpg' }]],
])('%s has no upload to go on with', async (_, key, at, files) => {
  await uploadsOf('key').keep([photo], upload());
  expect(await uploadsOf(key, at).take(files)).toBeUndefined();
});

test('an upload whose addresses end soon is forgotten', async () => {
  await uploadsOf('key').keep([photo], upload(minutes(5)));
  expect(await uploadsOf('key').take([photo])).toBeUndefined();
});

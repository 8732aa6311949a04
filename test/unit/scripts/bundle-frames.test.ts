import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { bundleFrames } from '../../../scripts/bundle-frames.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const folder = mkdtempSync(path.join(tmpdir(), 'slipway-frames-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('frames are written before anything else has created their folder', async () => {
  const outDir = path.join(folder, 'made');
  const { files } = await bundleFrames(root, outDir);
  expect(readdirSync(outDir)).toEqual(files.map(([, file]) => file));
});

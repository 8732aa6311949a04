import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { synthesize } from './synthesize.ts';

const ofThisRun = process.env['SYNTHESIZED_DIR'];
const dir = mkdtempSync(join(tmpdir(), 'slipway-synthesized-'));
afterAll(() => {
  process.env['SYNTHESIZED_DIR'] = ofThisRun;
  rmSync(dir, { recursive: true });
});

test('a test run synthesizes the same settings once, and other settings again', async () => {
  process.env['SYNTHESIZED_DIR'] = dir;
  const made = await synthesize();
  const [name = '', ...others] = readdirSync(dir);
  expect(others).toEqual([]);
  expect(JSON.parse(readFileSync(join(dir, name), 'utf8'))).toEqual(made);
  writeFileSync(join(dir, name), '{"warnings":["read"]}');
  expect(await synthesize()).toEqual({ warnings: ['read'] });
  expect((await synthesize({ logRetentionDays: 7 })).warnings).toEqual(made.warnings);
  expect(readdirSync(dir)).toHaveLength(2);
});

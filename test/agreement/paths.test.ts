import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const sources = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.(?:ts|md)$/.test(file) && existsSync(file));
const namedPath =
  /`((?:bin|contract|core|adapters|lambdas|lib|local|web|test|scripts|docs)\/[\w./-]+\.(?:ts|md|mjs|cjs|json))(?::\d+)?`/g;
/** Shows how a decision is named. */
const patterns = ['docs/decisions/NNNN-title.md'];

test('every file that a document or a comment names is there', () => {
  const missing = sources.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(namedPath)]
      .map(([, named = '']) => named)
      .filter((named) => !existsSync(named) && !patterns.includes(named))
      .map((named) => `${file} names ${named}`),
  );
  expect(missing).toEqual([]);
});

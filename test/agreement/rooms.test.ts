import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from '@jest/globals';

const roots = ['bin', 'contract', 'core', 'adapters', 'lambdas', 'lib', 'local', 'web', 'scripts'];
const sources = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...roots], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /\.(?:ts|js|mjs)$/.test(file))
  // Tests; their folders mirror those of `local`.
  .filter((file) => !file.startsWith('local/test/'));

const architecture = readFileSync('docs/architecture.md', 'utf8');
const map = architecture.slice(0, architecture.indexOf('## What runs where'));
const rooms = [...map.matchAll(/^\| `([^`]+)` \| .+ \|$/gm)].map(([, room = '']) => room);

test('the map of rooms names each folder of sources, and no other', () => {
  expect(rooms.toSorted()).toEqual([...new Set(sources.map(dirname))].toSorted());
});

import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

test('CONTRIBUTING.md lists each script of package.json, and no other', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const text = readFileSync('CONTRIBUTING.md', 'utf8');
  const [, table = ''] = /## Scripts\n([^]*?)\n## /.exec(text) ?? [];
  const listed = [...table.matchAll(/^\| (`.+?) \|/gm)].flatMap(([, names = '']) =>
    [...names.matchAll(/`([^ `]+)`/g)].map(([, name]) => name),
  );
  expect(new Set(listed)).toEqual(new Set(Object.keys(scripts)));
  expect(new Set(listed).size).toBe(listed.length);
});

import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { checks } from '../../bin/smoke/checks/checks.ts';

const boxes = readFileSync('docs/first-deploy.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('- [ ] '))
  .map((line) => line.slice('- [ ] '.length));

describe('docs/first-deploy.md and npm run smoke', () => {
  test('each check ticks one box, and each marked box has its check', () => {
    const marked = boxes.flatMap((box) => {
      const [, name] = /\(`smoke: ([\w-]+)`\)$/.exec(box) ?? [];
      return name === undefined ? [] : [{ name, box }];
    });
    const begin = ({ name, box }: { name: string; box: string }) => {
      const check = checks.find((one) => one.name === name);
      return { name, box: box.slice(0, check?.box.length ?? 40) };
    };
    const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name);
    expect(marked.map(begin).toSorted(byName)).toEqual(
      checks.map(({ name, box }) => ({ name, box })).toSorted(byName),
    );
  });
});

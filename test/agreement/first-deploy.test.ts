import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { checks } from '../../bin/smoke/checks/checks.ts';

const document = readFileSync('docs/first-deploy.md', 'utf8');
const boxes = document.split('\n').filter((line) => line.startsWith('- [ ] '));

describe('docs/first-deploy.md', () => {
  test('asks a person for at most sixty things; programs tick the rest', () => {
    expect(boxes.length).toBeGreaterThan(20);
    expect(boxes.length).toBeLessThanOrEqual(60);
    for (const program of ['doctor', 'smoke']) {
      expect(boxes.filter((box) => box.startsWith(`- [ ] \`npm run ${program} -- `))).toHaveLength(
        1,
      );
    }
  });

  test('names only checks that npm run smoke has', () => {
    const named = [...document.matchAll(/--only ([a-z][\w-]+)/g)].map(([, name]) => name);
    expect(named.length).toBeGreaterThan(1);
    expect(checks.map(({ name }) => name)).toEqual(expect.arrayContaining(named));
  });

  test.each([
    'destroy the service stack and deploy it again',
    'Ten downloads of a file over 4 MB at once',
    'A first deployment that fails',
    'at a custom domain and at its bare name',
  ])('has a box: %s', (words) => {
    expect(boxes.filter((box) => box.includes(words))).toHaveLength(1);
  });
});

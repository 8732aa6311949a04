import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { attacks } from '../attacks/attacks.ts';

const document = readFileSync('docs/security.md', 'utf8');
const sections = document.split(/^## /m).slice(1);
const promising = sections.filter((section) => !section.startsWith('What is not promised'));

describe('docs/security.md', () => {
  test('names tests that are there', () => {
    const named = [...document.matchAll(/`(test\/[\w./-]+\.ts)`/g)].map(([, path = '']) => path);
    expect(named.length).toBeGreaterThan(60);
    expect(named.filter((path) => !existsSync(path))).toEqual([]);
  });

  test('has a test for every promise', () => {
    expect(promising.length).toBeGreaterThan(10);
    for (const section of promising) {
      const rows = section.split('\n').filter((line) => /^\| (?!Promise|-)/.test(line));
      expect(rows.length).toBeGreaterThan(0);
      for (const row of rows) {
        const [, promise, mechanism, tested, end] = row.split(/ ?(?<!\\)\| ?/);
        expect([promise, mechanism].every((cell) => cell !== undefined && cell !== '')).toBe(true);
        expect({ promise, tested }).toEqual({
          promise,
          tested: expect.stringMatching(/`test\/[\w./-]+\.ts`/),
        });
        expect(end).toBe('');
      }
    }
  });

  test('names every attack', () => {
    const names = Object.keys(attacks).map((name) =>
      name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    );
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) expect(document).toContain(`test/attacks/${name}.ts`);
  });

  test.each(['docs/security.md', 'SECURITY.md'])('%s links to what is there', (file) => {
    const links = [...readFileSync(file, 'utf8').matchAll(/\]\(([^)#]+)/g)].map(
      ([, to = '']) => to,
    );
    const missing = links.filter(
      (to) => !to.startsWith('http') && !existsSync(join(file, '..', to)),
    );
    expect(missing).toEqual([]);
  });
});

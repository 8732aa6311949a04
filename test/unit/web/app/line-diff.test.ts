import { describe, expect, test } from '@jest/globals';
import { compareLines } from '../../../../web/app/texts/line-diff.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`);
const shown = (was: string, is: string) =>
  compareLines(was, is)?.map((part) => part.map(({ sign, text }) => sign + text));

describe('lines of two texts', () => {
  test('a changed line stands between three equal ones', () => {
    const lines = numbers(20);
    const changed = lines.with(9, 'another');
    expect(shown(lines.join('\n'), changed.join('\n'))).toEqual([
      [' line 7', ' line 8', ' line 9', '-line 10', '+another', ' line 11', ' line 12', ' line 13'],
    ]);
  });

  test('changes near each other are one part, and none of its lines comes twice', () => {
    const lines = numbers(30);
    const changed = lines.with(4, 'a').with(9, 'b').with(25, 'c');
    const parts = shown(lines.join('\n'), changed.join('\n')) ?? [];
    expect(parts.map((part) => part.length)).toEqual([14, 8]);
    expect(new Set(parts.flat()).size).toBe(22);
  });

  test('line ends are no difference', () => {
    expect(shown('a\r\nb\r\n', 'a\nb')).toEqual([]);
  });

  test.each([
    ['', 'a', [['+a']]],
    ['a\nb\n', '', [['-a', '-b']]],
    ['a', 'b', [['-a', '+b']]],
  ])('%j became %j', (was, is, parts) => {
    expect(shown(was, is)).toEqual(parts);
  });

  test('long lines are shortened, after they were compared', () => {
    const long = 'x'.repeat(1000);
    const [part = []] = shown(`${long}a`, `${long}b`) ?? [];
    expect(part.map(({ length }) => length)).toEqual([402, 402]);
  });

  test('more than 5,000 lines are not compared, and 5,000 without a common one take less than three seconds of processor time', () => {
    expect(compareLines('\n'.repeat(5001), 'a')).toBeUndefined();
    const was = numbers(5000).join('\n');
    const before = process.cpuUsage();
    const [part = []] = compareLines(was, was.replaceAll('line', 'row')) ?? [];
    expect(part).toHaveLength(10_000);
    const { user } = process.cpuUsage(before);
    expect(user / 1_000_000).toBeLessThan(3);
  });
});

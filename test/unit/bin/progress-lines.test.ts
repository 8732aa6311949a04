import { expect, test } from '@jest/globals';
import { progressLines } from '../../../bin/command-line.ts';

function writtenTo(isTTY: boolean): string {
  let written = '';
  const report = progressLines({ isTTY, write: (text) => (written += text) });
  report('');
  report('Bundled 1 of 22 functions');
  report('Synthesizing templates');
  report('');
  report('');
  return written;
}

test('a log gets every step of a start as a line', () => {
  expect(writtenTo(false)).toBe('Bundled 1 of 22 functions …\nSynthesizing templates …\n');
});

test('on a terminal each step replaces the one before, and the last one goes', () => {
  const clear = '\r\u001B[K';
  expect(writtenTo(true)).toBe(
    `${clear}Bundled 1 of 22 functions …${clear}Synthesizing templates …${clear}`,
  );
});

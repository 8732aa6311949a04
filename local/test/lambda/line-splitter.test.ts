import { expect, test } from '@jest/globals';
import { lineSplitter } from '../../lambda/worker-replies.ts';

test.each([
  ['lines in one chunk', ['a\nb\n'], ['a', 'b']],
  ['a line over two chunks', ['a', 'b\n'], ['ab']],
  ['an unfinished last line', ['a\nb'], ['a', 'b']],
  ['empty lines', ['a\n\nb\n'], ['a', '', 'b']],
])('splits %s', (_name, chunks, expected) => {
  const lines: string[] = [];
  const splitter = lineSplitter((line) => lines.push(line));
  for (const chunk of chunks) splitter.write(chunk);
  splitter.end();
  expect(lines).toEqual(expected);
});

import { expect, test } from '@jest/globals';
import { lineSplitter } from '../../../../local/lambda/line-splitter.ts';

test.each([
  ['lines in one chunk', [Buffer.from('a\nb\n')], ['a', 'b']],
  ['a line over two chunks', [Buffer.from('a'), Buffer.from('b\n')], ['ab']],
  [
    'a character over two chunks',
    [Buffer.from('é\n').subarray(0, 1), Buffer.from('é\n').subarray(1)],
    ['é'],
  ],
  ['an unfinished last line', ['a\nb'], ['a', 'b']],
  ['empty lines', ['a\n\nb\n'], ['a', '', 'b']],
])('splits %s', (_name, chunks, expected) => {
  const lines: string[] = [];
  const splitter = lineSplitter((line) => lines.push(line));
  for (const chunk of chunks) splitter.write(chunk);
  splitter.end();
  expect(lines).toEqual(expected);
});

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from '@jest/globals';
import { withoutEval } from '../../../scripts/without-eval.ts';

const decoder = readFileSync(
  createRequire(import.meta.url).resolve('three/examples/jsm/libs/basis/basis_transcoder.js'),
  'utf8',
);

test('the decoder makes no function out of text', () => {
  const changed = withoutEval(decoder);
  expect(decoder).toMatch(/\(Function,/);
  expect(changed).not.toMatch(/\beval\(|\bFunction\(|\(Function,/);
  expect(changed.length).toBeLessThan(decoder.length + 2000);
});

test.each([
  ['without a place', 'var a;'],
  ['with a place twice', decoder + decoder],
  ['with another place', `${decoder};newFunc(Function,others)()`],
])('a decoder %s is refused', (_, script) => {
  expect(() => withoutEval(script)).toThrow(/^the decoder has /);
});

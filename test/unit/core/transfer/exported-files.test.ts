import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { filesHash } from '../../../../core/transfer/exported-files.ts';

const a = { path: 'a.css', size: 1, hash: 'AAAAAAAAAAAAAAAA' };
const b = { path: 'b.css', size: 22, hash: 'BBBBBBBBBBBBBBBB' };

test('the hash of files is the hash of their lines, sorted by path', () => {
  const lines = '["a.css",1,"AAAAAAAAAAAAAAAA"]\n["b.css",22,"BBBBBBBBBBBBBBBB"]\n';
  const wanted = createHash('sha256').update(lines).digest('hex');
  expect(filesHash([a, b])).toBe(wanted);
  expect(filesHash([b, a])).toBe(wanted);
});

test.each([
  ['a file less', [a]],
  ['another path', [{ ...a, path: 'A.css' }, b]],
  ['another size', [{ ...a, size: 2 }, b]],
  ['another content', [{ ...a, hash: 'CAAAAAAAAAAAAAAA' }, b]],
  [
    'contents exchanged',
    [
      { ...a, hash: b.hash },
      { ...b, hash: a.hash },
    ],
  ],
])('is different with %s', (_, files) => {
  expect(filesHash(files)).not.toBe(filesHash([a, b]));
});

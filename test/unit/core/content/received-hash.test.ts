import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { receivedHash } from '../../../../core/content/received-hash.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const aFile = (name: string, text: string) => ({ name, bytes: Buffer.from(text) });

test('is the hash of a single file, or of the sorted lines of several files', () => {
  expect(receivedHash([aFile('a', 'x')])).toBe(sha256('x'));
  const lines = `${sha256('1')}  a\n${sha256('2')}  b/c\n`;
  expect(receivedHash([aFile('b/c', '2'), aFile('a', '1')])).toBe(sha256(lines));
  expect(receivedHash([])).toBe(sha256(''));
});

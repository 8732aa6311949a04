import { expect, test } from '@jest/globals';
import { formatCount, formatBytes } from '../../../../../web/pages/parts/format.ts';

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [2, '2 bytes'],
  [1023, '1023 bytes'],
  [1024, '1 kB'],
  [1536, '1.5 kB'],
  [10_189, '10 kB'],
  [10_240, '10 kB'],
  [1024 * 1023, '1023 kB'],
  [1024 * 1024 - 1, '1 MB'],
  [2 * 1024 * 1024, '2 MB'],
  [1024 ** 3, '1 GB'],
  [5.25 * 1024 ** 4, '5.3 TB'],
  [2048 * 1024 ** 4, '2048 TB'],
])('reads %d bytes as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

test.each([
  [0, '0 files'],
  [1, '1 file'],
  [4500, '4,500 files'],
])('counts %d', (amount, text) => {
  expect(formatCount(amount, 'file')).toBe(text);
});

import { expect, test } from '@jest/globals';
import { isBinary } from '../../gateway/request.ts';

const multipart = ['multipart/form-data'];

test.each([
  ['multipart/form-data; boundary=x', multipart, true],
  ['Multipart/Form-Data;boundary=x', multipart, true],
  ['application/json', multipart, false],
  ['multipart/mixed', multipart, false],
  [undefined, multipart, false],
  ['image/png', multipart, false],
  ['image/webp,image/png', ['image/png'], false],
  ['image/png,*/*', ['image/png'], true],
  ['image/png;q=0.9, text/html', ['image/png'], true],
  ['image/gif', ['image/*'], true],
  ['imagery/gif', ['image/*'], false],
  ['*/*', ['image/png'], false],
  [undefined, ['*/*'], true],
  ['text/html', ['*/*'], true],
  ['text/html', [], false],
])('%j with %j is binary: %s', (header, types, expected) => {
  expect(isBinary(header, types)).toBe(expected);
});

import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { fitsForm, formOf } from '../../../cli/http.ts';
import { readForm } from '../../../lambdas/http/multipart.ts';

test('the service reads the fields and files of a form as they are', async () => {
  const files = [
    { path: `a "b"/it's (é) 100%*.html`, bytes: randomBytes(70_000) },
    { path: 'empty.txt', bytes: new Uint8Array() },
    { path: 'lines.txt', bytes: Buffer.from('\r\n--slipway\r\n'), type: 'application/zip+gzip' },
  ];
  const fields = { title: 'Pier "é"', draft: false, delete: ['a.txt', 'b c.txt'], slug: undefined };
  const { body, contentType } = formOf(fields, files);
  const { files: read, ...texts } = await readForm(Buffer.from(body), contentType);
  expect({ ...texts }).toEqual({ title: 'Pier "é"', draft: 'false', delete: 'a.txt\nb c.txt' });
  expect(read.map(({ name, bytes }) => [name, Buffer.from(bytes)])).toEqual(
    files.map(({ path, bytes }) => [path, Buffer.from(bytes)]),
  );
  expect(read.at(-1)?.contentType).toBe('application/zip+gzip');
});

test('a form has no field that the service would find too long', () => {
  expect(fitsForm({ title: 'x', delete: ['é'.repeat(4096)] })).toBe(true);
  expect(fitsForm({ delete: ['é'.repeat(4096), 'x'] })).toBe(false);
});

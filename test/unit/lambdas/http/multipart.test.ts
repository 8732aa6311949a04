import { describe, expect, test } from '@jest/globals';
import { readForm } from '../../../../lambdas/http/multipart.ts';
import { aForm, type FormPart } from '../../../fixtures/uploads/multipart.ts';

const read = (...parts: FormPart[]) => {
  const { body, contentType } = aForm(parts);
  return readForm(body, contentType);
};

describe('a form', () => {
  test('gives files in order, with folders in their names, and fields by name', async () => {
    const form = await read(
      { name: 'files', filename: 'index.html', body: '<p>' },
      { name: 'files[]', filename: 'assets/app.css', body: 'p{}' },
      { name: 'file', filename: 'x.bin', body: Buffer.from([0, 255, 10, 13]) },
      { name: 'asFileBundle', body: 'true' },
    );
    expect(form.files.map((file) => file.name)).toEqual(['index.html', 'assets/app.css', 'x.bin']);
    expect(form.files[2]?.bytes).toEqual(Buffer.from([0, 255, 10, 13]));
    expect(form['asFileBundle']).toBe('true');
  });

  test.each([
    ['UTF-8', 'filename="naïve 日本.txt"', 'naïve 日本.txt'],
    ['RFC 8187', "filename*=UTF-8''na%C3%AFve%20%E2%82%AC.txt", 'naïve €.txt'],
    ['RFC 8187 before the plain name', 'filename="x.txt"; filename*=UTF-8\'\'%C3%AF.txt', 'ï.txt'],
    ['an escaped quote', 'filename="a\\"b.txt"', 'a"b.txt'],
  ])('reads a %s name', async (_, disposition, name) => {
    const form = await read({ name: 'files', disposition, body: 'x' });
    expect(form.files[0]?.name).toBe(name);
  });

  test('an empty file field of a browser is no file', async () => {
    expect((await read({ name: 'files', filename: '', body: '' })).files).toEqual([]);
  });

  test('an empty file is a file', async () => {
    expect((await read({ name: 'files', filename: 'a', body: '' })).files).toHaveLength(1);
  });

  test('a field called __proto__ is only a field', async () => {
    const form = await read({ name: '__proto__', body: 'x' });
    expect(Object.getPrototypeOf(form)).toBeNull();
    expect(form.files).toEqual([]);
  });
});

describe('refuses', () => {
  const file = { name: 'files', filename: 'a.txt', body: 'x' };
  const { body, contentType } = aForm([file]);
  test.each([
    ['no content type', body, undefined, 'UNSUPPORTED_MEDIA_TYPE'],
    ['JSON', Buffer.from('{}'), 'application/json', 'UNSUPPORTED_MEDIA_TYPE'],
    ['a form without a boundary', body, 'multipart/form-data', 'INVALID_REQUEST'],
    ['another boundary', body, 'multipart/form-data; boundary=other', 'INVALID_REQUEST'],
    [
      'a body cut off in the file',
      body.subarray(0, body.length - 20),
      contentType,
      'INVALID_REQUEST',
    ],
    ['a body cut off in the headers', body.subarray(0, 60), contentType, 'INVALID_REQUEST'],
    ['an empty body', Buffer.alloc(0), contentType, 'INVALID_REQUEST'],
    ['noise', Buffer.from('noise'.repeat(1000)), contentType, 'INVALID_REQUEST'],
  ])('%s', async (_, bytes, type, code) => {
    await expect(async () => readForm(bytes, type)).rejects.toMatchObject({ code });
  });

  test.each([
    [
      'a file in another field',
      [{ name: 'avatar', filename: 'a.png', body: 'x' }],
      'INVALID_REQUEST',
    ],
    ['text in the file field', [{ name: 'files', body: 'x' }], 'INVALID_REQUEST'],
    [
      'a field sent twice',
      [file, { name: 'a', body: '1' }, { name: 'a', body: '2' }],
      'INVALID_REQUEST',
    ],
    ['a field that is too long', [file, { name: 'a', body: 'x'.repeat(9000) }], 'INVALID_REQUEST'],
    [
      'a field name that is too long',
      [file, { name: 'n'.repeat(200), body: 'x' }],
      'INVALID_REQUEST',
    ],
    [
      'too many fields',
      Array.from({ length: 60 }, (_, i) => ({ name: `f${i}`, body: '' })),
      'INVALID_REQUEST',
    ],
    ['too many files', Array.from({ length: 201 }, () => file), 'TOO_MANY_FILES'],
  ] satisfies [string, FormPart[], string][])('%s', async (_, parts, code) => {
    await expect(read(...parts)).rejects.toMatchObject({ code });
  });
});

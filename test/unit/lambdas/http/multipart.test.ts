import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { readForm } from '../../../../lambdas/http/multipart.ts';
import { CodedError } from '../../../../core/errors.ts';
import { proofSize } from '../../../fixtures/proof-size.ts';
import { aForm, type FormPart } from '../../../fixtures/uploads/multipart.ts';

const read = (...parts: FormPart[]) => {
  const { body, contentType } = aForm(parts);
  return readForm(body, contentType);
};

describe('a form', () => {
  test('returns files in order with their folders, and fields by name', async () => {
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

  test('a field named __proto__ is an ordinary field', async () => {
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

/** A form of one part with these header lines. */
function aRawForm(headers: string, content: string, boundary = 'b') {
  const body = `--${boundary}\r\n${headers}\r\n\r\n${content}\r\n--${boundary}--\r\n`;
  return [Buffer.from(body, 'latin1'), `multipart/form-data; boundary=${boundary}`] as const;
}

describe('a part without a field name', () => {
  test.each([
    ['a file', 'Content-Disposition: form-data; filename="a.txt"'],
    [
      'a file by its type',
      'Content-Disposition: form-data\r\nContent-Type: application/octet-stream',
    ],
    ['a file with an empty name', 'Content-Disposition: form-data; name=""; filename="a.txt"'],
    ['a text', 'Content-Disposition: form-data'],
  ])('is refused: %s', async (_, headers) => {
    await expect(readForm(...aRawForm(headers, 'x'))).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      body: { error: expect.stringContaining('field name') },
    });
  });
});

describe('a boundary', () => {
  const disposition = 'Content-Disposition: form-data; name="files"; filename="a.txt"';
  const [longest, tooLong] = ['b'.repeat(70), 'b'.repeat(71)];

  test('of 70 characters is read', async () => {
    const form = await readForm(...aRawForm(disposition, 'x', longest));
    expect(form.files).toHaveLength(1);
  });

  test.each([
    ['bare', `multipart/form-data; boundary=${tooLong}`],
    ['quoted', `multipart/form-data; boundary="${tooLong}"`],
    ['after another one', `multipart/form-data; boundary=b; BOUNDARY=${tooLong}`],
    ['with more after it', `multipart/form-data; boundary=${tooLong}; charset=utf-8`],
  ])('of 71 characters is refused: %s', async (_, contentType) => {
    const [body] = aRawForm(disposition, 'x', tooLong);
    await expect(async () => readForm(body, contentType)).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      body: { error: expect.stringContaining('70') },
    });
  });
});

test('an unfinished file behind the closing boundary is not waited for', async () => {
  const file = (name: string) =>
    `--b\r\nContent-Disposition: form-data; name="files"; filename="${name}"\r\n\r\n${name}\r\n`;
  const body = Buffer.from(`--b\r\n--b--\r\n${file('a')}${file('b')}`);
  await expect(readForm(body, 'multipart/form-data; boundary=b')).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    body: { error: expect.stringContaining('not complete') },
  });
}, 5000);

describe('for all input', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      'Content-Disposition: ',
      'content-type: ',
      'Content-Transfer-Encoding: ',
      'X: ',
      'form-data',
      'attachment',
      '; name=',
      '; filename=',
      '; filename*=',
      "UTF-8''",
      "''",
      '"files"',
      '"file',
      '""',
      '"',
      '\\',
      'a.txt',
      '%C3%AF',
      '%FF',
      '%',
      '__proto__',

      'text/plain',
      'application/octet-stream',
      '; charset=',
      'utf-16le',
      'none',
      'constructor',

      '\r\n',
      '\r',
      '\n',
      '\0',
      ' ',
      '\t',
      ':',
      ';',
      '=',
      '--b',
      '--b--',
      '\r\n--b\r\n',
      '\r\n\r\n',
      'x'.repeat(9000),
    ),
    fc.string({ unit: 'binary', maxLength: 20 }),
  );
  const pieces = (maxLength: number) =>
    fc.array(piece, { maxLength }).map((texts) => texts.join(''));
  const dispositions = fc
    .tuple(
      fc.constantFrom(
        '',
        '; name="files"',
        '; name="a"',
        '; name=""',
        '; name*=x',
        '; name="__proto__"',
      ),
      fc.constantFrom(
        '',
        '; filename="a.txt"',
        '; filename=""',
        "; filename*=UTF-8''a",
        "; filename*=none''a",
      ),
      pieces(3),
    )
    .map((parts) => `Content-Disposition: form-data${parts.join('')}`);
  const parts = fc.array(
    fc.tuple(fc.oneof(dispositions, pieces(12)), fc.oneof(fc.string(), pieces(4))),
    { maxLength: 4 },
  );

  test('is read or refused with a coded error, and never ends the process', async () => {
    const sent = fc.oneof(
      parts.map((each) => each.map(([head, content]) => `--b\r\n${head}\r\n\r\n${content}\r\n`)),
      fc.array(piece),
    );
    await fc.assert(
      fc.asyncProperty(sent, fc.boolean(), async (texts, isClosed) => {
        const body = Buffer.from(`${texts.join('')}${isClosed ? '--b--\r\n' : ''}`, 'latin1');
        const answer = await readForm(body, 'multipart/form-data; boundary=b').then(
          (form) => form.files.every(({ name }) => name !== ''),
          (error: unknown) => error instanceof CodedError && error.status < 500,
        );
        expect(answer).toBe(true);
      }),
      { numRuns: proofSize({ short: 100, whole: 500 }) },
    );
  });

  test('has a content type that is read or refused with a coded error', async () => {
    await fc.assert(
      fc.asyncProperty(pieces(6), async (rest) => {
        const answer = async () => readForm(Buffer.from('--b--'), `multipart/form-data${rest}`);
        await answer().catch((error: unknown) => {
          expect(error).toBeInstanceOf(CodedError);
        });
      }),
      { numRuns: proofSize({ short: 100, whole: 500 }) },
    );
  });
});

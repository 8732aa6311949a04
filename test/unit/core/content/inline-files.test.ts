import { describe, expect, test } from '@jest/globals';
import {
  decodeInlineFiles,
  decodeInlineZip,
  type InlineFile,
} from '../../../../core/content/inline-files.ts';
import { CodedError } from '../../../../core/errors.ts';

const text = (content: string, path = 'a.txt') => ({ path, content, encoding: 'utf8' }) as const;
const base64 = (content: string, path = 'a.png') =>
  ({ path, content, encoding: 'base64' }) as const;
const bytesOf = (file: InlineFile) => Buffer.from(decodeInlineFiles([file])[0]?.bytes ?? '');

/** What the refusal of these files says. */
function refusal(decode: () => unknown): CodedError<'INVALID_REQUEST'> {
  try {
    decode();
  } catch (error) {
    if (error instanceof CodedError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('text', () => {
  test.each([
    ['nothing', ''],
    ['letters of every kind', 'añ漢\u{1F6A2}e\u0301'],
    ['line ends and controls as they are', '\uFEFFa\r\nb\n\u0000\t'],
  ])('keeps %s', (_, content) => {
    expect(bytesOf(text(content)).toString()).toBe(content);
  });

  test.each([
    ['the first', 'ab\uD83D', 2],
    ['the second', '\uDEA2 ship', 0],
  ])('with only %s half of a surrogate pair is refused with its position', (_, content, at) => {
    const { code, fields } = refusal(() => decodeInlineFiles([text('fine'), text(content)]));
    expect(code).toBe('INVALID_REQUEST');
    expect(fields.details).toEqual([
      { path: 'files[1].content', message: expect.stringContaining(`at character ${at}`) },
    ]);
  });
});

describe('base64', () => {
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, at) => at));
  test.each([0, 1, 2, 3, 4, 255, 256])('of %i bytes is decoded exactly', (length) => {
    const wanted = bytes.subarray(0, length);
    const padded = wanted.toString('base64');
    expect(bytesOf(base64(padded))).toEqual(wanted);
    expect(bytesOf(base64(padded.replace(/=+$/, '')))).toEqual(wanted);
    expect(bytesOf(base64(`\r\n ${padded.replace(/.{20}/g, '$&\n\t')} \f`))).toEqual(wanted);
  });

  test.each([
    ['a data: URL', 'data:image/png;base64,AAAA', 'only what follows its "base64,"'],
    ['a data: URL in capitals', ' DATA:image/png;base64,AAAA', 'data: URL'],
    ['base64url', 'AA-_', 'base64url'],
    ['plain text', 'Hello, world', 'has "," at base64 character 5'],
    ['white space that is none of ASCII', 'AA\u00A0AA', 'at base64 character 2'],
    ['half of a surrogate pair', 'AA\uD83D', 'at base64 character 2'],
    ['padding inside', 'AA==AAAA', 'has "=" at base64 character 2'],
    ['one character too many', 'AAAAA', 'cut short'],
    ['too little padding', 'AA=', 'cut short'],
    ['too much padding', 'AAAA==', 'cut short'],
    ['three signs of padding', 'A===', 'is not base64'],
    ['nothing but padding', '==', 'cut short'],
    ['bits behind the last byte', 'AB==', 'ends in bits'],
    ['bits behind the last byte without padding', 'AAB', 'ends in bits'],
  ])('refuses %s', (_, content, message) => {
    const { code, fields } = refusal(() => decodeInlineFiles([base64(content)]));
    expect(code).toBe('INVALID_REQUEST');
    expect(fields.details[0]?.path).toBe('files[0].content');
    expect(fields.details[0]?.message).toContain(message);
    expect(fields.error).toContain('"a.png"');
  });
});

describe('paths', () => {
  test.each([
    ['a way out', '../a', '"../a" has a "." or ".." segment'],
    ['an absolute one', '/index.html', '"/index.html" has an absolute path'],
    ['none', '', '"" has no name'],
    ['a control character', 'a\u202Eb', 'has a control character'],
  ])('with %s are refused with their name', (_, path, message) => {
    const { code, fields } = refusal(() => decodeInlineFiles([text('x'), text('x', path)]));
    expect(code).toBe('INVALID_REQUEST');
    expect(fields.details[0]?.path).toBe('files[1].path');
    expect(fields.details[0]?.message).toContain(message);
    expect(fields.error).not.toContain('\u202E');
  });

  test('inside the reserved folder are refused', () => {
    expect(refusal(() => decodeInlineFiles([text('x', '_Slipway/a')])).code).toBe(
      'FILE_TYPE_REFUSED',
    );
  });

  test('are the names of the files, and determine their types', () => {
    expect(decodeInlineFiles([text('x', 'docs/a.css')])).toMatchObject([
      { name: 'docs/a.css', contentType: 'text/css; charset=utf-8' },
    ]);
  });
});

test('lists the first ten errors, each shortened', () => {
  const files = Array.from({ length: 50 }, () => base64('%', 'x'.repeat(1000)));
  const { fields } = refusal(() => decodeInlineFiles(files));
  expect(fields.details).toHaveLength(10);
  expect(fields.error).toContain('49 more');
  expect(JSON.stringify(fields).length).toBeLessThan(8000);
});

describe('a ZIP', () => {
  test('is recognised as a ZIP', () => {
    const { name, contentType, bytes } = decodeInlineZip('UEsDBA==');
    expect([name, contentType]).toEqual(['site.zip', 'application/zip']);
    expect(Buffer.from(bytes).toString('hex')).toBe('504b0304');
  });

  test('in anything but base64 is refused', () => {
    const { code, fields } = refusal(() => decodeInlineZip('data:application/zip;base64,UEsDBA=='));
    expect(code).toBe('INVALID_REQUEST');
    expect(fields.details[0]).toMatchObject({ path: 'zipBase64' });
  });
});

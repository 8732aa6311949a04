import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { CodedError } from '../../../../core/errors.ts';
import { readForm } from '../../../../lambdas/http/multipart.ts';
import { readPlainFile } from '../../../../lambdas/http/bind.ts';

const body = Buffer.from('%PDF-1.7');
/** A header as Node reads it: a character for each byte. */
const inBytes = (text: string) => Buffer.from(text).toString('latin1');
const nameFrom = (headers: Record<string, string>) =>
  readPlainFile({ headers, body }).files[0]?.name;

describe('a plain body is one file', () => {
  test.each([
    ['the URL', { 'x-slipway-file-name': 'a%20b.txt', 'x-filename': 'c' }, 'a b.txt'],
    ['X-Filename', { 'x-filename': 'a.txt', 'content-disposition': 'a; filename=b' }, 'a.txt'],
    ['a percent-encoded X-Filename', { 'x-filename': 'caf%C3%A9.txt' }, 'café.txt'],
    ['an X-Filename of UTF-8 bytes', { 'x-filename': inBytes('café 漢.txt') }, 'café 漢.txt'],
    ['an X-Filename of Latin-1 bytes', { 'x-filename': 'caf\u00E9.txt' }, 'café.txt'],
    ['an X-Filename that was decoded before', { 'x-filename': '漢é.txt' }, '漢é.txt'],
    [
      'a disposition of UTF-8 bytes',
      { 'content-disposition': `attachment; filename="${inBytes('café.txt')}"` },
      'café.txt',
    ],
    [
      'a disposition of Latin-1 bytes',
      { 'content-disposition': 'attachment; filename=caf\u00E9.txt' },
      'café.txt',
    ],
    ['an X-Filename with a lone percent sign', { 'x-filename': '100%.txt' }, '100%.txt'],
    [
      'a disposition',
      { 'content-disposition': 'attachment; filename="a \\"b\\".txt"' },
      'a "b".txt',
    ],
    ['a disposition without quotes', { 'content-disposition': 'inline;filename=a.txt' }, 'a.txt'],
    [
      'an encoded disposition first',
      { 'content-disposition': "attachment; filename=b; filename*=UTF-8''caf%C3%A9.txt" },
      'café.txt',
    ],
    ['its content, where nothing names it', { 'x-filename': '' }, 'file.pdf'],
    ['its content, where the name is blank', { 'x-slipway-file-name': '%20%20' }, 'file.pdf'],
    [
      'the next name, where the first is blank',
      { 'x-slipway-file-name': '%20', 'x-filename': 'a.txt' },
      'a.txt',
    ],
  ])('named by %s', (_, headers, name) => {
    expect(nameFrom(headers)).toBe(name);
  });

  test('of its own declared type', () => {
    const headers = {
      'content-type': 'application/octet-stream',
      'x-slipway-file-type': 'Application/ZIP',
    };
    expect(readPlainFile({ headers, body }).files).toEqual([
      { name: 'file.zip', contentType: 'application/zip', bytes: body },
    ]);
  });

  test('that is not empty', () => {
    const read = () => readPlainFile({ headers: {}, body: Buffer.alloc(0) });
    expect(read).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }));
  });

  test('whatever its headers say', () => {
    const field = fc.oneof(
      fc.string(),
      fc.string().map((text) => `a; filename="${text}`),
    );
    fc.assert(
      fc.property(field, field, (disposition, name) => {
        const headers = { 'content-disposition': disposition, 'x-filename': name };
        expect(nameFrom(headers)).toEqual(expect.any(String));
      }),
    );
    expect(nameFrom({ 'content-disposition': `a; filename="${'\\'.repeat(100_001)}` })).toBe(
      'file.pdf',
    );
  });
});

describe('the refusal of another body names the accepted type and the field', () => {
  test.each([
    ['text/plain', 'the type "text/plain"'],
    ['', 'no content type'],
    [`\u001b[2J${'y'.repeat(300)}`, 'the type "\uFFFD[2Jy'],
  ])('%s', async (type, text) => {
    const error = await (async () => readForm(body, type))().catch((reason: unknown) => reason);
    if (!(error instanceof CodedError)) throw new Error('not refused');
    expect(error.code).toBe('UNSUPPORTED_MEDIA_TYPE');
    expect(error.message).toContain(text);
    expect(error.message).toContain('`files`');
    expect(error.message.length).toBeLessThan(400);
    expect(error.message).not.toContain('\u001b');
    expect(error.body['nextStep']).toContain('-F files=@FILE');
  });
});

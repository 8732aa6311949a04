import { describe, expect, test } from '@jest/globals';
import { declaredEncoding, hasOwnEncoding } from '../../../../core/content/declared-encoding.ts';
import { typeOfFile } from '../../../../core/content/media-type.ts';

const latin = (text: string) => Buffer.from(text, 'latin1');
/** In windows-1251 and Shift_JIS: bytes that are no UTF-8. */
const legacy = '\xcf\xf0\xe8\xe2\xe5\xf2';

describe('a file declares its own encoding', () => {
  test.each([
    ['a.html', `<!doctype html><meta charset=windows-1251><title>${legacy}`, 'windows-1251'],
    ['a.htm', `<head><meta charset="Shift_JIS"/>${legacy}`, 'shift_jis'],
    ['a.html', `<META content="text/html; charset=euc-kr" http-equiv=Content-Type>`, 'euc-kr'],
    ['a.html', '<meta name=a content=b><meta charset=iso-8859-2>', 'iso-8859-2'],
    ['a.html', '<meta charset="iso-2022-jp">\x1b$B', 'iso-2022-jp'],
    ['a.xhtml', '<?xml version="1.0" encoding="windows-1252"?><html/>', 'windows-1252'],
    ['a.svg', `<?xml version='1.0' encoding='koi8-r'?><svg><text>${legacy}`, 'koi8-r'],
    ['a.xml', '<?xml version="1.0" encoding="ISO-8859-1"?><a/>', 'windows-1252'],
    ['a.css', `@charset "big5";p::before{content:"${legacy}"}`, 'big5'],
  ])('%s %j: %s', (path, text, encoding) => {
    expect(declaredEncoding(path, latin(text))).toBe(encoding);
  });

  test.each([
    ['little end first', Buffer.from('\ufeff<svg/>', 'utf16le'), 'utf-16le'],
    ['big end first', Buffer.from('\ufeff<svg/>', 'utf16le').swap16(), 'utf-16be'],
    ['of XML without a mark', Buffer.from('<?xml version="1.0"?>', 'utf16le'), 'utf-16le'],
  ])('by UTF-16, %s', (_, bytes, encoding) => {
    expect(declaredEncoding('a.svg', bytes)).toBe(encoding);
  });
});

test.each([
  ['UTF-8', 'a.html', '<meta charset=utf-8>'],
  ['another name of UTF-8', 'a.html', '<meta charset=UTF8>'],
  ['nothing', 'a.html', `<title>${legacy}`],
  ['an unknown name', 'a.html', '<meta charset=klingon>'],
  ['UTF-16 in ASCII', 'a.html', '<meta charset=utf-16>'],
  ['in a comment', 'a.html', '<!-- <meta charset=koi8-r> -->'],
  ['in the body', 'a.html', '<body><p>&lt;</p><meta charset=koi8-r>'],
  ['another attribute', 'a.html', '<meta name=a data-charset=koi8-r>'],
  ['it in a description', 'a.html', '<meta name=description content="a; charset=koi8-r">'],
  ['against its letters, which are UTF-8', 'a.html', '<meta charset=koi8-r>\xc3\xa9'],
  ['UTF-8 by its mark', 'a.css', '\xef\xbb\xbf@charset "koi8-r";'],
  ['@charset with other quotes', 'a.css', "@charset 'koi8-r';"],
  ['words of another format', 'a.js', '<meta charset=koi8-r>'],
  ['in a picture', 'a.png', '<meta charset=koi8-r>'],
])('a file that declares %s is UTF-8: %s', (_, path, text) => {
  expect(declaredEncoding(path, latin(text))).toBeUndefined();
});

test.each([
  ['a script', 'a.js', `document.title = "${legacy}"`, true],
  ['a style sheet', 'a.css', `p::after { content: "${legacy}" }`, true],
  ['a text', 'a.txt', `${' '.repeat(20_000)}${legacy}`, true],
  ['a page that declares nothing', 'a.html', `<title>${legacy}`, true],
  ['a text in UTF-8 of which one byte is broken', 'a.txt', `${'\xc3\xa9'.repeat(50)}\xe9`, false],
  ['a text in UTF-8 that is cut off', 'a.txt', '\xc3\xa9\xc3', false],
  ['one in ASCII', 'a.js', 'document.title = "a"', false],
  ['bytes with the name of a text', 'a.txt', '\0\x01\xff\xfa', false],
  ['a picture', 'a.png', legacy, false],
])('letters that are no UTF-8: %s', (_, path, text, isOther) => {
  expect(hasOwnEncoding(path, latin(text))).toBe(isOther);
});

test('its header says no other encoding', () => {
  expect(typeOfFile('a.html', { hasOwnEncoding: true })).toBe('text/html');
  expect(typeOfFile('a.svg', { hasOwnEncoding: true })).toBe('image/svg+xml');
  expect(typeOfFile('a.html', {})).toBe('text/html; charset=utf-8');
});

test('hostile tags are searched in linear time', () => {
  const before = process.cpuUsage();
  for (const piece of ['<meta ', '<!--', '<meta charset', '<meta http-equiv=content-type '])
    declaredEncoding('a.html', Buffer.from(piece.repeat(100_000)));
  expect(process.cpuUsage(before).user / 1e6).toBeLessThan(3);
});

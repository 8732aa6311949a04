import { expect, test } from '@jest/globals';
import { detectTypeAndHome } from '../../../../core/content/choose-home.ts';
import {
  isTakenPicture,
  remoteAddress,
  soleFile,
  takenFinder,
  takenStem,
  takenType,
} from '../../../../core/content/taken-pictures.ts';
import { aPng } from '../../../fixtures/uploads/picture-host.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');

test.each([
  [aPng, 'png'],
  [bytes('\u00ff\u00d8\u00ff\u00e0'), 'jpg'],
  [bytes('GIF89a'), 'gif'],
  [bytes('RIFF\x00\x00\x00\x00WEBPVP8 '), 'webp'],
  [bytes('\x00\x00\x00\x20ftypavif'), 'avif'],
  [bytes('\x00\x00\x00\x20ftypmif1\x00\x00\x00\x00mif1avif'), 'avif'],
  [bytes('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'svg'],
  [bytes('\u00ef\u00bb\u00bf<?xml version="1.0"?>\n<!-- x -->\n<svg>'), 'svg'],
  [
    bytes('<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/svg11.dtd">\n<svg>'),
    'svg',
  ],
  [bytes('<!doctype html><svg>'), undefined],
  [bytes('<html><body><svg></svg>'), undefined],
  [bytes('{"error": "no"}'), undefined],
  [bytes('%PDF-1.7'), undefined],
  [bytes('BM'), undefined],
  [bytes(`<!--${'<!--'.repeat(400)}`), undefined],
  [bytes(''), undefined],
])('a picture is told by its bytes: %#', (content, type) => {
  expect(takenType(content)).toBe(type);
});

test.each([
  ['https://example.org/a.png#part', 'https://example.org/a.png'],
  ['//example.org/a.png', 'https://example.org/a.png'],
  ['HTTP://Example.org', 'http://example.org/'],
  ['a.png', undefined],
  ['data:image/png;base64,AAAA', undefined],
  ['https://', undefined],
])('the address of %s', (written, address) => expect(remoteAddress(written)).toBe(address));

const address = 'https://example.org/a.png';
const picture = `${takenStem(address)}.svg`;

test('a text finds its picture by the address, whatever the type is', () => {
  const find = takenFinder(
    new Map([
      ['a.md', 1],
      [picture, 1],
    ] as const),
  );
  expect(find?.(`${address}#x`)).toBe(`/${picture}`);
  expect(find?.('https://example.org/b.png')).toBeUndefined();
  expect(takenFinder(new Map([['a.md', 1]]))).toBeUndefined();
});

test('pictures that were taken along do not make a text a list of files', () => {
  const asOne = { topFolder: '', isArchive: false };
  expect(detectTypeAndHome({}, { paths: [picture, 'a.md'], ...asOne })).toEqual({
    type: 'markdown',
    home: null,
  });
  expect(detectTypeAndHome({}, { paths: ['a.png', 'a.md'], ...asOne }).type).toBe('files');
  expect(
    soleFile(
      new Map([
        [picture, 1],
        ['a.md', 2],
      ] as const),
    ),
  ).toEqual(['a.md', 2]);
  expect(
    soleFile(
      new Map([
        ['b.md', 1],
        ['a.md', 2],
      ] as const),
    ),
  ).toBeUndefined();
  expect(soleFile(new Map([[picture, 1]]))).toBeUndefined();
  expect(['_pictures/a.png', `x/${picture}`, `${picture}.exe`].filter(isTakenPicture)).toEqual([]);
});

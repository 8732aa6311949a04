import { expect, test } from '@jest/globals';
import * as fonts from '../../../../../web/viewers/parts/symbol-fonts.ts';
import { withMappedSlideSymbols } from '../../../../../web/viewers/parts/slide-symbols.ts';

const mapped = (xml: string, path = 'ppt/slides/slide1.xml') =>
  Buffer.from(
    withMappedSlideSymbols({ name: Buffer.from(path), path, bytes: Buffer.from(xml) }, fonts).bytes,
  ).toString();

test.each([
  [
    'a bullet',
    '<a:buFont typeface="Wingdings" pitchFamily="2"/><a:buChar char="§"/>',
    '<a:buFont typeface="Arial" pitchFamily="2"/><a:buChar char="▪"/>',
  ],
  [
    'a bullet of letters',
    '<a:buFont typeface="Courier New"/><a:buChar char="o"/>',
    '<a:buFont typeface="Courier New"/><a:buChar char="o"/>',
  ],
  [
    'letters in a font of symbols',
    '<a:r><a:rPr><a:latin typeface="Wingdings"/></a:rPr><a:t>à</a:t></a:r>',
    '<a:r><a:rPr></a:rPr><a:t>→</a:t></a:r>',
  ],
  [
    'a symbol among letters',
    '<a:r><a:rPr><a:latin typeface="Arial"/><a:sym typeface="Wingdings"/></a:rPr><a:t>ebb \uF0E0 &amp; flow</a:t></a:r>',
    '<a:r><a:rPr><a:latin typeface="Arial"/><a:sym typeface="Wingdings"/></a:rPr><a:t>ebb → &amp; flow</a:t></a:r>',
  ],
])('%s', (_, xml, expected) => expect(mapped(xml)).toBe(expected));

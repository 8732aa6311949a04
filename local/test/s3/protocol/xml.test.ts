import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { childText, parseXml, renderXml } from '../../../s3/protocol/xml.ts';

const parse = (text: string) => parseXml(Buffer.from(text));

describe('XML', () => {
  test('parses every text that it wrote', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(childText(parseXml(renderXml(['A', [['B', text]]])), 'B')).toBe(text);
      }),
    );
  });

  test('reads entities, references, comments and empty elements', () => {
    const root = parse(
      '<?xml version="1.0"?>\n<A x="1"><!-- <B> --><B>&lt;&#65;&#x1F600;&amp;</B><C/></A>\n',
    );
    expect(childText(root, 'B')).toBe('<A😀&');
    expect(childText(root, 'C')).toBe('');
    expect(childText(root, 'D')).toBeUndefined();
  });

  test.each([
    '',
    'text',
    '<A>',
    '</A>',
    '<A></B>',
    '<A/><B/>',
    '<A>&unknown;</A>',
    '<A>&#xD800;</A>',
    '<A>&lt</A>',
    '<!DOCTYPE a [<!ENTITY b "c">]><A>&b;</A>',
    '<A><![CDATA[x]]></A>',
    '<A'.repeat(100),
    '<A>'.repeat(100),
    '<A>\u0000<</A>',
  ])('refuses %j', (text) => {
    expect(() => parse(text)).toThrow(expect.objectContaining({ code: 'MalformedXML' }));
  });

  test('refuses bytes that are not UTF-8', () => {
    expect(() => parseXml(Buffer.from([0x3c, 0x41, 0x2f, 0x3e, 0xff]))).toThrow();
  });
});

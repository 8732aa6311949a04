import { expect, test } from '@jest/globals';
import { simplifyWord } from '../../../../../web/viewers/word/simplify-word.ts';
import { withPageSizes } from '../../../../../web/viewers/word/page-sizes.ts';

const size = '<w:pgSz w:w="11906" w:h="16838"/>';
const margins = '<w:pgMar w:top="1"/>';
const letter = '<w:pgSz w:w="12240" w:h="15840"/>';
const inch =
  '<w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="720" w:footer="720" w:gutter="0"/>';
const body = (content: string) =>
  `<w:document><w:body><w:p><w:r><w:t>Tide</w:t></w:r></w:p>${content}</w:body></w:document>`;

test.each([
  ['no section', '', `<w:sectPr>${letter}${inch}</w:sectPr>`],
  ['an empty section', '<w:sectPr/>', `<w:sectPr>${letter}${inch}</w:sectPr>`],
  [
    'a section with attributes',
    '<w:sectPr w:a="b" />',
    `<w:sectPr w:a="b" >${letter}${inch}</w:sectPr>`,
  ],
  ['no margins', `<w:sectPr>${size}</w:sectPr>`, `<w:sectPr>${size}${inch}</w:sectPr>`],
  ['no size', `<w:sectPr>${margins}</w:sectPr>`, `<w:sectPr>${margins}${letter}</w:sectPr>`],
  [
    'an earlier section alone',
    `<w:p><w:pPr><w:sectPr>${size}${margins}</w:sectPr></w:pPr></w:p>`,
    `<w:p><w:pPr><w:sectPr>${size}${margins}</w:sectPr></w:pPr></w:p><w:sectPr>${letter}${inch}</w:sectPr>`,
  ],
])(
  'a document with %s has pages of US Letter and margins of an inch',
  async (_, content, expected) => {
    const bytes = new TextEncoder().encode(body(content));
    const [part] = await simplifyWord([
      { name: new Uint8Array(), path: 'word/document.xml', bytes },
    ]);
    expect(new TextDecoder().decode(part?.bytes)).toBe(body(expected));
  },
);

test.each([
  body(`<w:sectPr>${size}${margins}</w:sectPr>`),
  '<w:hdr><w:p/></w:hdr>',
  '<w:document><w:body><w:sectPr>',
])('nothing else changes', (xml) => {
  expect(withPageSizes(xml)).toBe(xml);
});

test('sections that never end are read once', () => {
  const xml = body('<w:sectPr>'.repeat(100_000));
  expect(withPageSizes(xml)).toHaveLength(xml.length + '<w:sectPr/>'.length);
});

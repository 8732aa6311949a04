import { describe, expect, test } from '@jest/globals';
import type { ZipPart } from '../../../../../web/viewers/parts/zip-parts.ts';
import {
  beginningOf,
  boundedPages,
  firstPages,
} from '../../../../../web/viewers/parts/first-pages.ts';

const paper = '<w:sectPr><w:pgSz w:w="11906"/></w:sectPr>';
const aDocument = (...children: string[]) =>
  `<?xml version="1.0"?><w:document xmlns:w="w"><w:body>${children.join('')}</w:body></w:document>`;
const p = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
const table = `<w:tbl><w:tr><w:tc>${p('cell')}${p('cell')}</w:tc></w:tr></w:tbl>`;
const picture = '<w:p><w:drawing><a:blip r:embed="x"/></w:drawing></w:p>';
const chars = (most: number) => ({ chars: most, pictures: 100, parts: 1e6 });

describe('the beginning of a document', () => {
  test.each<[string, string, Parameters<typeof beginningOf>[1], string | undefined]>([
    [
      'ends behind a paragraph, with the paper of the whole',
      aDocument(p('one'), p('two'), paper),
      chars(1),
      aDocument(p('one'), paper),
    ],
    [
      'never ends within a table',
      aDocument(table, p('two'), paper),
      chars(table.length - 50),
      aDocument(table, paper),
    ],
    [
      'takes the paper of no earlier section',
      aDocument(p('one'), `<w:p><w:pPr>${paper}</w:pPr></w:p>`, p('two')),
      chars(1),
      aDocument(p('one')),
    ],
    [
      'has few pictures',
      aDocument(picture, picture, picture, paper),
      { chars: 1e6, pictures: 2, parts: 1e6 },
      aDocument(picture, picture, paper),
    ],
    [
      'is not misled by signs in a value',
      aDocument('<w:p w:x="</w:p><w:p>"/>', p('two'), paper),
      chars(1),
      aDocument('<w:p w:x="</w:p><w:p>"/>', paper),
    ],
    ['is nothing where no child ends', aDocument(`<w:tbl>${p('a')}`), chars(1), undefined],
    ['is nothing of what is no document', '<a/>', chars(1), undefined],
  ])('%s', (_, xml, most, beginning) => {
    expect(beginningOf(xml, most)).toBe(beginning);
  });
});

const part = (path: string, text: string | Uint8Array<ArrayBuffer>): ZipPart => ({
  name: new TextEncoder().encode(path),
  path,
  bytes: typeof text === 'string' ? new TextEncoder().encode(text) : text,
});

test('of a long document, and of one with many pictures, only the text is cut', () => {
  const long = part('word/document.xml', aDocument(p('words '.repeat(50)).repeat(8000), paper));
  const styles = part('word/styles.xml', '<w:styles/>');
  const first = firstPages([styles, long]);
  expect(first?.[0]).toBe(styles);
  expect(first?.[1]?.bytes.length).toBeGreaterThan(100_000);
  expect(first?.[1]?.bytes.length).toBeLessThan(160_000);

  const short = part('word/document.xml', aDocument(picture.repeat(20), paper));
  expect(firstPages([styles, short])).toBeUndefined();
  const photo = part('word/media/a.png', new Uint8Array(5 * 1024 * 1024));
  const shown = new TextDecoder().decode(firstPages([short, photo])?.[0]?.bytes);
  expect(shown.split('<a:blip').length - 1).toBe(6);
});

describe('a document of many parts', () => {
  const bounded = (xml: string) => {
    const { parts, isCut } = boundedPages([part('word/document.xml', xml)], 30);
    return [Buffer.from(parts[0]?.bytes ?? []).toString(), isCut];
  };

  test('is shown whole, or ends behind the paragraph that fills the room', () => {
    const fits = aDocument(...Array.from({ length: 10 }, () => p('a')), paper);
    expect(bounded(fits)).toEqual([fits, false]);
    expect(bounded(aDocument(...Array.from({ length: 900 }, () => p('a')), paper))).toEqual([
      fits,
      true,
    ]);
  });

  test.each([
    ['links', 'word/_rels/document.xml.rels', '<Relationship Id="a"/>', '<w:hyperlink r:id="a"/>'],
    [
      'pictures of lists',
      'word/numbering.xml',
      '<w:numPicBullet/>',
      '<w:lvlPicBulletId w:val="1"/>',
    ],
    ['types of parts', '[Content_Types].xml', '<Override PartName="/a.xml"/>', '<Relationship/>'],
    ['lists', 'word/numbering.xml', '<w:abstractNumId/>', '<a:blip/>'],
    ['levels', 'word/a.xml', '<w:num/>', '<w:lvl/>'],
    ['links behind blanks', 'word/d.bin', `${' '.repeat(300)}<Relationship/>`, '<w:hyperlink/>'],
    ['headers', 'word/_rels/document.xml.rels', '<Relationship/>', '<w:br/>'],
    ['headers of pages', 'word/a.xml', '<w:headerReference/>', '<w:sectPr/>'],
    ['links of another prefix', 'word/_rels/a.rels', '<r-1:Relationship/>', '<w-1:hyperlink/>'],
    ['links of another name', 'word/d.bin', '<Relationship/>', '<w:hyperlink/>'],
    ['parts of styles', 'word/styles.xml', '<w:tblStylePr w:type="a"/>', '<w:basedOn w:val="a"/>'],
    ['styles', 'word/styles.xml', '<w:style/>', '<a:blip/>'],
    ['kinds of parts', '[Content_Types].xml', '<Default/>', '<a:blip/>'],
    ['notes', 'word/footnotes.xml', '<w:footnote/>', '<w:footnoteReference/>'],
    ['comments', 'word/comments.xml', '<w:comment/>', '<w:commentReference/>'],
  ])('is refused where looking for its %s would never end', (_, path, listed, looking) => {
    const looked = (count: number) => () =>
      boundedPages([
        part('word/document.xml', aDocument(looking.repeat(count), paper)),
        part(path, listed.repeat(count)),
      ]);
    expect(looked(12_650)).toThrow('too many parts');
    expect(looked(8900)).not.toThrow();
  });

  test('is refused where a list has levels without end', () => {
    const lists = (levels: number) => () =>
      boundedPages([
        part('word/document.xml', aDocument(p('one'), paper)),
        part(
          'word/numbering.xml',
          `<w:numbering><w:abstractNum w:abstractNumId="1">${'<w:lvl/>'.repeat(levels)}</w:abstractNum>${'<w:num/>'.repeat(levels)}</w:numbering>`,
        ),
      ]);
    expect(lists(21)).toThrow('too many parts');
    expect(lists(9)).not.toThrow();
  });

  test('is refused where a formula has no end; text behind it does not count', () => {
    const formula = (inside: number, behind: number) => () =>
      boundedPages([
        part(
          'word/document.xml',
          aDocument(
            `<w:p><m:oMathPara><m:oMath>${'<m:r/>'.repeat(inside)}</m:oMath></m:oMathPara>${'<w:r/>'.repeat(behind)}</w:p>`,
            paper,
          ),
        ),
      ]);
    expect(formula(20_001, 0)).toThrow('too many parts');
    expect(formula(20_000, 20_001)).not.toThrow();
  });

  test.each([
    ['fractions', `<m:oMath>${'<m:f><m:num/><m:den/></m:f>'.repeat(7000)}</m:oMath>`, true],
    ['many formulas', `<m:oMath>${'<m:r><m:t/></m:r>'.repeat(4900)}</m:oMath>`.repeat(15), true],
    ['short formulas', `<m:oMath>${'<m:r><m:t/></m:r>'.repeat(50)}</m:oMath>`.repeat(900), false],
    ['an empty formula', `<m:oMath/>${'<w:r/>'.repeat(30_000)}`, false],
  ])('of formulas the squares count: %s', (_, inside, isRefused) => {
    const look = () =>
      boundedPages([part('word/document.xml', aDocument(`<w:p>${inside}</w:p>`, paper))]);
    if (isRefused) expect(look).toThrow('too many parts');
    else expect(look).not.toThrow();
  });

  test('what is looked for in several lists counts together', () => {
    const looked = (count: number) => () =>
      boundedPages([
        part(
          'word/document.xml',
          aDocument('<w:hyperlink/><w:footnoteReference/>'.repeat(count), paper),
        ),
        part('word/_rels/document.xml.rels', '<Relationship/>'.repeat(count)),
        part('word/footnotes.xml', '<w:footnote/>'.repeat(count)),
      ]);
    expect(looked(9000)).toThrow('too many parts');
    expect(looked(8900)).not.toThrow();
  });

  const run = '<w:r><w:t>a</w:t></w:r>';
  test('a header with more than is laid out of a document is refused; notes are not', () => {
    const withPart = (name: string, runs: number) => () =>
      boundedPages(
        [
          part('word/document.xml', aDocument(p('a'), paper)),
          part(
            'word/x.xml',
            `<?xml version="1.0"?><w:${name} xmlns:w="w">${run.repeat(runs)}</w:${name}>`,
          ),
        ],
        30,
      );
    expect(withPart('hdr', 16)).toThrow('too many parts');
    expect(withPart('ftr', 16)).toThrow('too many parts');
    expect(withPart('hdr', 15)).not.toThrow();
    expect(withPart('footnotes', 16)).not.toThrow();
  });

  const row = `<w:tr><w:tc>${p('a')}</w:tc></w:tr>`;
  const aTable = (rows: number) => `<w:tbl><w:tblPr/>${row.repeat(rows)}</w:tbl>`;
  test.each([
    ['one paragraph', (runs: number) => aDocument(`<w:p>${run.repeat(runs)}</w:p>`, paper), 15],
    // A cell, a paragraph, a run and its text.
    ['one table', (rows: number) => aDocument(aTable(rows), paper), 8],
    [
      'a table in a table, in a control',
      (rows: number) =>
        aDocument(
          `<w:sdt><w:sdtContent><w:tbl><w:tr><w:tc>${aTable(rows)}</w:tc></w:tr></w:tbl></w:sdtContent></w:sdt>`,
          paper,
        ),
      8,
    ],
  ])('%s of too many parts ends behind the first of them', (_, make, fits) => {
    const [xml, isCut] = bounded(make(90));
    expect([xml, isCut]).toEqual([make(fits), true]);
  });

  test('that does not end is refused', () => {
    expect(() => bounded(aDocument('<w:p>'.repeat(90)))).toThrow('too many parts');
  });
});

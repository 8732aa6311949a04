import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  elementsOf,
  localName,
  parseXml,
  textIn,
  type XmlElement,
} from '../../../../../web/viewers/parts/xml-tree.ts';
import { pictureTexts } from '../../../../../web/viewers/word/picture-texts.ts';
import * as symbols from '../../../../../web/viewers/parts/symbol-fonts.ts';
import { simplifyStory, simplifyWord } from '../../../../../web/viewers/word/simplify-word.ts';

const run = (text: string, more = '') => `<w:r>${more}<w:t>${text}</w:t></w:r>`;
const p = (content: string) => `<w:p>${content}</w:p>`;
const mark = (type: string, data = '') =>
  `<w:r><w:fldChar w:fldCharType="${type}">${data}</w:fldChar></w:r>`;
const code = (text: string) => `<w:r><w:instrText>${text}</w:instrText></w:r>`;
const box = (content: string) =>
  `<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:anchor><a:graphic><a:graphicData><wps:wsp><wps:txbx><w:txbxContent>${content}</w:txbxContent></wps:txbx></wps:wsp></a:graphicData></a:graphic></wp:anchor></w:drawing></mc:Choice><mc:Fallback><w:pict><v:shape><v:textbox><w:txbxContent>${content}</w:txbxContent></v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r>`;

/** What `docx-preview` reads: any other element, and what is in it, is not shown. */
const read: Record<string, readonly string[]> = {
  '': ['document'],
  document: ['body'],
  body: ['p', 'tbl'],
  tbl: ['tr'],
  tr: ['tc'],
  tc: ['p', 'tbl'],
  p: ['r', 'hyperlink'],
  hyperlink: ['r'],
  r: ['t'],
};

function shownIn(element: XmlElement): string {
  const name = element.name && localName(element);
  if (name === 't') return textIn(element);
  return elementsOf(element)
    .filter((child) => (read[name] ?? []).includes(localName(child)))
    .map(shownIn)
    .join('');
}

const shown = (body: string) =>
  shownIn(
    parseXml(
      simplifyStory(`<w:document><w:body>${body}</w:body></w:document>`, new Map(), symbols),
    ),
  );

/** Around runs of a paragraph. */
const inline: Record<string, (content: string) => string> = {
  sdt: (content) =>
    `<w:sdt><w:sdtPr><w:alias w:val="no"/></w:sdtPr><w:sdtContent>${content}</w:sdtContent></w:sdt>`,
  customXml: (content) => `<w:customXml w:element="a"><w:customXmlPr/>${content}</w:customXml>`,
  smartTag: (content) => `<w:smartTag w:element="a">${content}</w:smartTag>`,
  fldSimple: (content) => `<w:fldSimple w:instr="TITLE">${content}</w:fldSimple>`,
  ins: (content) => `<w:ins w:id="1">${content}</w:ins>`,
  moveTo: (content) => `<w:moveTo w:id="1">${content}</w:moveTo>`,
  bdo: (content) => `<w:bdo w:val="rtl">${content}</w:bdo>`,
  dir: (content) => `<w:dir w:val="rtl">${content}</w:dir>`,
  field: (content) => `${mark('begin')}${code('REF a')}${mark('separate')}${content}${mark('end')}`,
  moved: (content) => `<w:moveFrom w:id="2">${run('gone')}</w:moveFrom>${content}`,
  deleted: (content) => `${content}<w:del w:id="3"><w:r><w:delText>gone</w:delText></w:r></w:del>`,
};
const link = (content: string) => `<w:hyperlink r:id="a">${content}</w:hyperlink>`;
/** Around paragraphs, rows or cells. */
const block = [inline['sdt'], inline['customXml']] as const;
const table = (content: string) => `<w:tbl><w:tr><w:tc>${content}</w:tc></w:tr></w:tbl>`;
const wrappedTable = (wrap: (content: string) => string) => (content: string) =>
  `<w:tbl>${wrap(`<w:tr>${wrap(`<w:tc>${wrap(content)}</w:tc>`)}</w:tr>`)}</w:tbl>`;

const names = Object.keys(inline);
const nested = fc.array(fc.constantFrom(...names), { maxLength: 5 });
const paragraphs = fc.array(
  fc.record({ wraps: nested, isLink: fc.boolean(), isBoxed: fc.boolean() }),
  {
    minLength: 1,
    maxLength: 4,
  },
);
const places = fc.array(fc.nat({ max: 3 }), { maxLength: 3 });

describe('the words of a document', () => {
  test('are on the page whatever is around their runs', () => {
    fc.assert(
      fc.property(paragraphs, places, (all, around) => {
        const words = all.map((_, index) => `word${index}.`);
        const body = all.map(({ wraps, isLink, isBoxed }, index) => {
          const inner = wraps.reduce(
            (text, name) => inline[name]?.(text) ?? text,
            run(words[index] ?? ''),
          );
          const linked = isLink ? link(inner) : inner;
          return p(isBoxed ? box(p(linked)) : linked);
        });
        const whole = around.reduce((content, kind) => {
          if (kind === 0) return table(content);
          if (kind === 1) return wrappedTable(block[0] ?? ((text) => text))(content);
          return block[kind - 2]?.(content) ?? content;
        }, body.join(''));
        expect(shown(whole)).toBe(words.join(''));
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    [
      'a field in one run',
      p(
        '<w:r><w:fldChar w:fldCharType="begin"/><w:instrText>PAGE</w:instrText><w:fldChar w:fldCharType="separate"/><w:t>7</w:t><w:fldChar w:fldCharType="end"/></w:r>',
      ),
      '7',
    ],
    [
      'a field within the code of a field',
      p(
        `${mark('begin')}${code('IF ')}${mark('begin')}${code('REF')}${mark('separate')}${run('hidden')}${mark('end')}${mark('separate')}${run('seen')}${mark('end')}`,
      ),
      'seen',
    ],
    ['a field without an end', p(`${mark('begin')}${code('REF')}${run('seen')}`), 'seen'],
    [
      'a ticked box of a form',
      p(
        `${mark('begin', '<w:ffData><w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox></w:ffData>')}${code('FORMCHECKBOX')}${mark('end')}`,
      ),
      '☒',
    ],
    [
      'an empty box of a form',
      p(
        `${mark('begin', '<w:ffData><w:checkBox><w:default w:val="0"/></w:checkBox></w:ffData>')}${mark('end')}`,
      ),
      '☐',
    ],
    [
      'a list of a form',
      p(
        `${mark('begin', '<w:ffData><w:ddList><w:result w:val="1"/><w:listEntry w:val="Ebb"/><w:listEntry w:val="Flow &amp; ebb"/></w:ddList></w:ffData>')}${mark('end')}`,
      ),
      'Flow & ebb',
    ],
    [
      'readings',
      p(
        `<w:r><w:t>a</w:t><w:ruby><w:rubyPr/><w:rt>${run('とう')}</w:rt><w:rubyBase>${run('東')}</w:rubyBase></w:ruby><w:t>b</w:t></w:r>`,
      ),
      'a東(とう)b',
    ],
    ['a symbol', p('<w:r><w:sym w:font="Wingdings" w:char="F0FC"/></w:r>'), '✓'],
    ['symbols in a font', p(run('\uF0B7', '<w:rPr><w:rFonts w:ascii="Symbol"/></w:rPr>')), '•'],
    [
      'a text box of an old document',
      p(
        '<w:r><w:pict><v:roundrect><v:textbox><w:txbxContent><w:p><w:r><w:t>old</w:t></w:r></w:p></w:txbxContent></v:textbox></v:roundrect></w:pict></w:r>',
      ),
      'old',
    ],
  ])('%s', (_, body, expected) => expect(shown(body)).toBe(expected));
});

test('a picture keeps what an alternative in it holds, and a broken one is left out', () => {
  const alternative =
    '<mc:AlternateContent><mc:Choice Requires="x"><x:a/></mc:Choice><mc:Fallback><pic:pic><pic:blipFill><a:blip r:embed="a"/></pic:blipFill><pic:spPr/></pic:pic></mc:Fallback></mc:AlternateContent>';
  const drawing = (data: string) =>
    p(`<w:r><w:drawing><wp:inline><a:graphic>${data}</a:graphic></wp:inline></w:drawing></w:r>`);
  expect(simplifyStory(drawing(`<a:graphicData>${alternative}</a:graphicData>`))).toContain(
    '<a:graphicData><pic:pic>',
  );
  expect(
    simplifyStory(drawing('<a:graphicData><pic:pic><pic:spPr/></pic:pic></a:graphicData>')),
  ).not.toContain('pic:pic');
  expect(simplifyStory(drawing(''))).not.toContain('a:graphic');
});

test('the pictures of a group are shown in their sizes, one after the other', () => {
  const pic = (id: string) =>
    `<pic:pic><pic:blipFill><a:blip r:embed="${id}"/></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="500" cy="300"/></a:xfrm></pic:spPr></pic:pic>`;
  const xml = simplifyStory(
    p(
      `<w:r><w:drawing><wp:anchor><wp:extent cx="9" cy="9"/><a:graphic><a:graphicData><wpg:wgp><wpg:grpSpPr><a:xfrm><a:ext cx="2000" cy="2000"/><a:chExt cx="1000" cy="1000"/></a:xfrm></wpg:grpSpPr>${pic('one')}${pic('two')}</wpg:wgp></a:graphicData></a:graphic></wp:anchor></w:drawing></w:r>`,
    ),
  );
  expect(xml.match(/<a:graphicData><pic:pic>/g)).toHaveLength(2);
  expect(xml.match(/<wp:extent cx="1000" cy="600"\/>/g)).toHaveLength(2);
  expect(xml.match(/<a:ext cx="1000" cy="600"\/>/g)).toHaveLength(2);
});

test('pictures of the text have the words of their author, in order', () => {
  const drawing = (head: string, pic: string) =>
    `<w:drawing><wp:inline>${head}<a:graphic><a:graphicData>${pic}</a:graphicData></a:graphic></wp:inline></w:drawing>`;
  const drawings = [
    drawing('<wp:docPr id="1" descr="Tide &amp; wind"/>', '<pic:pic/>'),
    drawing('<wp:docPr id="2" descr="A chart"/>', '<c:chart/>'),
    drawing('<wp:docPr id="3"/>', '<pic:pic/>'),
    drawing('', '<pic:pic><pic:nvPicPr><pic:cNvPr descr="Quay"/></pic:nvPicPr></pic:pic>'),
  ];
  const bytes = (text: string) => new Uint8Array(Buffer.from(text));
  const path = 'word/document.xml';
  const story = { name: bytes(path), path, bytes: bytes(`<w:body>${drawings.join('')}</w:body>`) };
  expect(pictureTexts([story])).toEqual(['Tide & wind', '', 'Quay']);
});

test('styles without an id get one, and lists have bullets of Unicode', async () => {
  const part = (path: string, xml: string) => ({
    name: Buffer.from(path),
    path,
    bytes: new Uint8Array(Buffer.from(xml)),
  });
  const made = await simplifyWord([
    part(
      'word/styles.xml',
      '<w:styles><w:style w:type="table"><w:rPr/></w:style><w:style w:styleId="a"></w:style></w:styles>',
    ),
    part(
      'word/numbering.xml',
      '<w:numbering><w:lvl w:ilvl="0"><w:lvlText w:val="\uF0A7"/><w:rPr><w:rFonts w:ascii="Wingdings" w:hAnsi="Wingdings"/><w:b/></w:rPr></w:lvl><w:lvl w:ilvl="1"><w:lvlText w:val="%1."/></w:lvl></w:numbering>',
    ),
  ]);
  const [styles, lists] = made.map(({ bytes }) => Buffer.from(bytes).toString());
  expect(styles).toBe(
    '<w:styles><w:style w:styleId="unnamed-1" w:type="table"><w:rPr/></w:style><w:style w:styleId="a"></w:style></w:styles>',
  );
  expect(lists).toBe(
    '<w:numbering><w:lvl w:ilvl="0"><w:lvlText w:val="▪"/><w:rPr><w:b/></w:rPr></w:lvl><w:lvl w:ilvl="1"><w:lvlText w:val="%1."/></w:lvl></w:numbering>',
  );
});

describe('what is drawn', () => {
  const drawing = (data: string, more = '') =>
    `<w:r><w:drawing><wp:inline><wp:docPr id="1" name="A 1"${more}/><a:graphic><a:graphicData>${data}</a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`;
  const part = (path: string, text: string) => ({
    path,
    name: new TextEncoder().encode(path),
    bytes: new TextEncoder().encode(text),
  });
  const words = (text: string) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`;

  test.each([
    ['a chart', drawing('<c:chart r:id="r1"/>'), ' Chart: Tides '],
    [
      'a chart that is shown twice',
      drawing('<c:chart r:id="r1"/>').repeat(2),
      ' Chart: Tides  Chart ',
    ],
    ['a chart without a title', drawing('<c:chart r:id="r9"/>'), ' Chart '],
    ['a chart with a text', drawing('<c:chart r:id="r9"/>', ' descr="Up"'), ' Chart: Up '],
    ['a diagram', drawing('<dgm:relIds r:dm="r2" r:lo="r3"/>'), ' Diagram: Plan · Dig '],
    [
      'a watermark',
      '<w:r><w:pict><v:shape><v:textpath string="DRAFT &amp; #2"/></v:shape></w:pict></w:r>',
      'DRAFT & #2',
    ],
  ])('%s has its words', async (_, run, text) => {
    const story = `<w:document><w:body>${p(run)}</w:body></w:document>`;
    const [document] = await simplifyWord([
      part('word/document.xml', story),
      part(
        'word/_rels/document.xml.rels',
        '<Relationships><Relationship Id="r1" Target="charts/chart1.xml"/><Relationship Id="r2" Target="/word/diagrams/data1.xml"/></Relationships>',
      ),
      part(
        'word/charts/chart1.xml',
        `<c:chart><c:title>${words('Tides')}</c:title><c:axis><c:title>${words('m')}</c:title></c:axis></c:chart>`,
      ),
      part(
        'word/diagrams/data1.xml',
        `<dgm:pt>${words('Plan')}</dgm:pt><dgm:pt>${words('Dig')}</dgm:pt>`,
      ),
    ]);
    expect(shownIn(parseXml(new TextDecoder().decode(document?.bytes)))).toBe(text);
  });
});

describe('pages that a document imports', () => {
  const relations = (target: string) =>
    `<Relationships><Relationship Id="x" Target="${target}"/></Relationships>`;
  const shown = async (path: string, content: string, target = path) => {
    const parts = Object.entries({
      'word/document.xml': `<w:document><w:body>${p(run('Before'))}<w:altChunk r:id="x"/>${p(run('After'))}</w:body></w:document>`,
      'word/_rels/document.xml.rels': relations(target),
      [`word/${path}`]: content,
    }).map(([name, text]) => ({
      name: new TextEncoder().encode(name),
      path: name,
      bytes: new TextEncoder().encode(text),
    }));
    const [main] = await simplifyWord(parts);
    return shownIn(parseXml(new TextDecoder().decode(main?.bytes)));
  };
  const page =
    '<html><head><title>No</title></head><body><h1>Tides</h1><p>At <b>nine</b><br>sharp &amp; dry</p><ol><li>Oar</ol><table><tr><td>Quay</table><script>x</script></body></html>';
  const archive = `MIME-Version: 1.0\nContent-Type: multipart/related; boundary="x"\n\n--x\nContent-Type: text/html; charset="utf-8"\n\n${page}\n--x--\n`;

  test.each([
    ['a.html', page, 'a.html', 'BeforeTidesAt ninesharp & dry1. OarQuayAfter'],
    ['a.mht', archive, '/word/a.mht', 'BeforeTidesAt ninesharp & dry1. OarQuayAfter'],
    ['a.txt', 'Tide < nine\nSlowly', 'a.txt', 'BeforeTide < nineSlowlyAfter'],
    ['a.docx', 'PK', 'a.docx', 'BeforeAnother document, which is not shown hereAfter'],
    ['a.html', page, 'none.html', 'BeforeAfter'],
  ])('are its words: %s', async (path, content, target, words) => {
    expect(await shown(path, content, target)).toBe(words);
  });

  test.each([
    ['word/a.html', 'a.html', '<html><p></p>', '<w:altChunk r:id="x1"/>'.repeat(100)],
    ['word/charts/chart1.xml', 'charts/chart1.xml', '<c:chart/>', ''],
  ])(
    'and charts are read once, however often they are named: %s',
    async (path, target, content, body) => {
      let reads = 0;
      const counted = {
        name: new TextEncoder().encode(path),
        path,
        get bytes() {
          reads += 1;
          return new TextEncoder().encode(content);
        },
      };
      const named = Array.from(
        { length: 100 },
        (_, at) => `<Relationship Id="x${at}" Target="${target}"/>`,
      );
      await simplifyWord([
        ...Object.entries({
          'word/document.xml': `<w:document><w:body>${body}</w:body></w:document>`,
          'word/_rels/document.xml.rels': `<Relationships>${named.join('')}</Relationships>`,
        }).map(([name, text]) => ({
          name: new TextEncoder().encode(name),
          path: name,
          bytes: new TextEncoder().encode(text),
        })),
        counted,
      ]);
      expect(reads).toBeLessThan(10);
    },
  );
});

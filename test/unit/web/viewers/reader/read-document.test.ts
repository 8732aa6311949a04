import { describe, expect, test } from '@jest/globals';
import {
  type Block,
  boundedReading,
  textOfRuns,
} from '../../../../../web/viewers/reader/blocks.ts';
import { readDocument } from '../../../../../web/viewers/reader/read-document.ts';
import {
  aBinaryWord,
  aWord95,
  compoundOf,
  anEpub,
  anOpenDocument,
  binarySlides,
} from '../../../../fixtures/visits/sample-readings.ts';
import { zipOf } from '../../../../browser/support/sample-files.ts';

/** A block in a line, as somebody would note it. */
function noted(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `${'#'.repeat(block.level)} ${textOfRuns(block.runs)}`;
    case 'item':
      return `${'-'.repeat(block.level)}${block.number === undefined ? '' : block.number} ${textOfRuns(block.runs)}`;
    case 'paragraph':
      return textOfRuns(block.runs);
    case 'lines':
      return `\`${block.text}\``;
    case 'table':
      return block.rows
        .map((row) => row.map((cell) => cell.map(noted).join('/')).join('|'))
        .join(';');
    case 'picture':
      return `picture ${block.words}`;
    case 'drawing':
      return `drawing ${block.words}: ${block.svg.match(/<(?:circle|poly)/g)?.length}`;
    case 'box':
      return `[${block.words}]`;
  }
}

async function read(name: string, made: Buffer | Promise<Buffer>) {
  const reading = await readDocument({ name, bytes: Uint8Array.from(await made) });
  return reading.sections.map(({ title, blocks }) => [title, ...blocks.map(noted)]);
}

const picture = new Uint8Array([0x89, 0x50, 0x4e, 0x47]);

/** Every element around text of which ODF 1.3, part 3, section 5 and 6 speak. */
const wrappers = [
  'text:span',
  'text:a',
  'text:meta',
  'text:meta-field',
  'text:ruby',
  'text:ruby-base',
  'text:date',
  'text:page-number',
  'text:bookmark-ref',
  'text:conditional-text',
  'text:placeholder',
  'text:text-input',
  'text:database-display',
  'xy:unknown',
];
const around = ['text:section', 'text:index-body', 'text:table-of-content', 'draw:a', 'xy:unknown'];

describe('OpenDocument', () => {
  test('texts keep headings, lists, tables, notes, pictures and comments', async () => {
    const body = `<text:tracked-changes><text:p>Deleted</text:p></text:tracked-changes><text:h text:outline-level="2">Tides</text:h>
<text:p>High<text:s text:c="2"/>at <text:span text:style-name="B">nine</text:span>&amp; ten<text:line-break/>sharp<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>By the clock</text:p></text:note-body></text:note></text:p>
<text:list><text:list-item><text:p>One</text:p><text:list><text:list-item><text:p>Two</text:p></text:list-item></text:list></text:list-item></text:list>
<table:table><table:table-header-rows><table:table-row><table:table-cell><text:p>Quay</text:p></table:table-cell><table:table-cell table:number-columns-repeated="1000000"/></table:table-row></table:table-header-rows><table:table-row><table:table-cell><text:p>North</text:p></table:table-cell><table:covered-table-cell/></table:table-row></table:table>
<text:p>See<office:annotation><dc:creator>Ada</dc:creator><text:p>Why?</text:p></office:annotation><draw:frame><draw:image xlink:href="Pictures/a.png"/><svg:title>A bow</svg:title></draw:frame></text:p>
<draw:frame><draw:text-box><text:p>Boxed</text:p></draw:text-box></draw:frame><draw:frame><draw:object xlink:href="./Object 1"/></draw:frame>`;
    const styles =
      '<style:style style:name="B"><style:text-properties fo:font-weight="bold"/></style:style>';
    const file = anOpenDocument('text', body, { styles, files: { 'Pictures/a.png': picture } });
    expect(await read('a.odt', file)).toEqual([
      [
        '',
        '## Tides',
        'High\u00A0\u00A0at nine& ten\nsharp (By the clock)',
        '- One',
        '-- Two',
        'Quay|;North',
        '[Comment by Ada: Why?]',
        'picture A bow',
        'See',
        'Boxed',
        '[A chart or another object]',
      ],
    ]);
    const { sections } = await readDocument({ name: 'a.odt', bytes: Uint8Array.from(await file) });
    expect(JSON.stringify(sections)).toContain('{"text":"nine","isBold":true}');
  });

  test.each(wrappers)('words in %s are kept', async (name) => {
    const file = anOpenDocument('text', `<text:p>a<${name}>b</${name}>c</text:p>`);
    expect(await read('a.odt', file)).toEqual([['', 'abc']]);
  });

  test.each(around)('paragraphs in %s are kept', async (name) => {
    const file = anOpenDocument('text', `<${name}><text:p>b</text:p></${name}>`);
    expect(await read('a.odt', file)).toEqual([['', 'b']]);
  });

  test('presentations are slides with their titles and notes; a flat file is read too', async () => {
    const slide = `<draw:page><draw:frame presentation:class="outline"><draw:text-box><text:list><text:list-item><text:p>Nine</text:p></text:list-item></text:list></draw:text-box></draw:frame><draw:g><draw:custom-shape><text:p>Shape</text:p></draw:custom-shape></draw:g><draw:frame presentation:class="title"><draw:text-box><text:p>Tides</text:p></draw:text-box></draw:frame><presentation:notes><text:p>Slowly</text:p></presentation:notes></draw:page>`;
    const expected = [['Slide 1', '## Tides', '- Nine', 'Shape', '### Notes', 'Slowly']];
    expect(await read('a.odp', anOpenDocument('presentation', slide))).toEqual(expected);
    const flat = `<office:document><office:body><office:presentation>${slide}</office:presentation></office:body></office:document>`;
    expect(await read('a.fodp', Buffer.from(flat))).toEqual(expected);
  });

  test('drawings are pages with their words', async () => {
    const page =
      '<draw:page><draw:custom-shape><text:p>Quay</text:p></draw:custom-shape></draw:page>';
    expect(await read('a.odg', anOpenDocument('drawing', page + page))).toEqual([
      ['Page 1', 'Quay'],
      ['Page 2', 'Quay'],
    ]);
  });

  test('formulas are in their lines, as they were written', async () => {
    const frame = (href: string) => `<draw:frame><draw:object xlink:href="${href}"/></draw:frame>`;
    const math = (inner: string) => `<math:math xmlns:math="m">${inner}</math:math>`;
    const files = {
      'Object 1/content.xml': math(
        '<math:semantics><math:mi>x</math:mi><math:annotation>x^2</math:annotation></math:semantics>',
      ),
      'Formula-2/content.xml': math('<math:mi>y</math:mi>'),
    };
    const body = `<text:p>Of ${frame('./Object 1')} and ${frame('Formula-2/')}.</text:p>`;
    expect(await read('a.odt', anOpenDocument('text', body, { files }))).toEqual([
      ['', 'Of x^2 and y.'],
    ]);
  });

  test('a locked file, and one that is something else, say so', async () => {
    const locked = anOpenDocument('text', '', {
      files: { 'META-INF/manifest.xml': '<manifest:encryption-data manifest:checksum="x"/>' },
    });
    await expect(read('a.odt', locked)).rejects.toThrow('protected by a password');
    await expect(read('a.odt', Buffer.from('hello'))).rejects.toThrow('does not match its name');
  });
});

test('a book has its chapters in the order of its spine, with their names', async () => {
  const file = anEpub(
    {
      One: '<h2>Dawn</h2><p>The&nbsp;sea &mdash; &#233;t&eacute;, <em>calm</em></p><ul><li>Oars<ol><li>Two</li></ol></li></ul><script>alert(1)</script>',
      Two: '<div>Loose <img src="../img/a.png" alt="A bow"/> words</div><pre>a\n  b</pre><table><tbody><tr><th>Quay</th><td>North</td></tr></tbody></table>',
    },
    { 'img/a.png': picture },
  );
  expect(await read('a.epub', file)).toEqual([
    ['One', '## Dawn', 'The\u00A0sea — été, calm', '- Oars', '--1 Two'],
    ['Two', 'Loose ', 'picture A bow', ' words', '`a\n  b`', 'Quay|North'],
  ]);
});

test('lists of a text have the numbers that they have there', async () => {
  const item = (...content: string[]) => `<text:list-item>${content.join('')}</text:list-item>`;
  const list = (style: string, ...items: string[]) =>
    `<text:list ${style}>${items.join('')}</text:list>`;
  const words = (text: string) => `<text:p>${text}</text:p>`;
  const styles = `<text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-format="1"/><text:list-level-style-bullet text:level="2"/></text:list-style>`;
  const named = 'text:style-name="L1"';
  const body = [
    list(named, item(words('One'), list('', item(words('Deep')))), item(words('Two'))),
    words('Between'),
    list(`${named} text:continue-numbering="true"`, item(words('Three'))),
    list(named, item(words('First'))),
    list('text:style-name="L9"', item(words('Dot'))),
  ].join('');
  expect(await read('a.odt', anOpenDocument('text', body, { styles }))).toEqual([
    ['', '-1 One', '-- Deep', '-2 Two', 'Between', '-3 Three', '-1 First', '- Dot'],
  ]);
});

test('a list of Word before 2007 is a list', async () => {
  const paragraphs = [
    { text: 'Before\r' },
    { text: 'Oars\r', list: 0 },
    { text: 'Deeper\r', list: 1 },
    { text: 'After\r' },
  ];
  expect(await read('a.doc', aBinaryWord(paragraphs))).toEqual([
    ['', 'Before', '- Oars', '-- Deeper', 'After'],
  ]);
});

test('a book that only one program opens says so', async () => {
  const file = anEpub(
    { One: '<p>x</p>' },
    {
      'META-INF/encryption.xml':
        '<encryption><CipherReference URI="OPS/c%200.xhtml"/></encryption>',
    },
  );
  await expect(read('a.epub', file)).rejects.toThrow('This book is locked');
});

test('a Word file of 1997 has its headings, tables, fields and footnotes', async () => {
  const file = aBinaryWord(
    [
      { text: 'Tides\r', style: 1 },
      { text: 'High \u0013 PAGE \u00147\u0015 at nine\u000Bsharp\u0002\r' },
      { text: 'Quay\u0007', place: 'cell' },
      { text: 'Ship\r', place: 'cell' },
      { text: 'Crew\u0007', place: 'cell' },
      { text: '\u0007', place: 'row end' },
      { text: 'End\r' },
    ],
    'Größe – 潮\r',
  );
  expect(await read('a.doc', file)).toEqual([
    ['', '# Tides', 'High 7 at nine\nsharp', 'Quay|Ship/Crew', 'End'],
    ['Footnotes', 'Größe – 潮'],
  ]);
});

test('slides of 1997 have their titles and texts', async () => {
  const file = binarySlides([
    { title: 'Tides 潮', text: 'Nine\rTen' },
    { title: 'End', text: '*' },
  ]);
  expect(await read('a.ppt', file)).toEqual([
    ['Slide 1', '## Tides 潮', 'Nine', 'Ten'],
    ['Slide 2', '## End'],
  ]);
});

test('only so many parts are shown, those in cells counted', () => {
  const block = { kind: 'paragraph' as const, runs: [{ text: 'x' }] };
  const table = { kind: 'table' as const, rows: [[[block], [block]]] };
  const cut = boundedReading([{ title: '', blocks: [block, table, block] }], undefined, 4);
  expect(cut).toMatchObject({ isCut: true, sections: [{ blocks: [block] }] });
  expect(boundedReading([{ title: '', blocks: [block] }]).isCut).toBe(false);
});

test('a table that is too long keeps the rows that fit, also within a table', () => {
  const cell = (text: string): Block[] => [{ kind: 'paragraph', runs: [{ text }] }];
  const table = (): Block => ({ kind: 'table', rows: [[cell('a')], [cell('b')], [cell('c')]] });
  const cut = (block: Block) => boundedReading([{ title: '', blocks: [block] }], undefined, 6);
  expect(cut(table())).toMatchObject({
    isCut: true,
    sections: [{ blocks: [{ rows: [[cell('a')], [cell('b')]] }] }],
  });
  expect(cut({ kind: 'table', rows: [[cell('first')], [[table()]]] })).toMatchObject({
    isCut: true,
    sections: [{ blocks: [{ rows: [[cell('first')]] }] }],
  });
});

test('what is in tables within tables is counted as often as it is shown', () => {
  let table: Block = { kind: 'table', rows: [[[]]] };
  for (let depth = 0; depth < 8; depth += 1) {
    const cell: Block[] = [table];
    table = { kind: 'table', rows: [Array.from({ length: 64 }, () => cell)] };
  }
  // What is left out is too much to be printed.
  const { isCut, sections } = boundedReading([{ title: '', blocks: [table] }]);
  expect([isCut, sections[0]?.blocks.length]).toEqual([true, 0]);
});

test('a paragraph has only so many runs that look other than those beside them', () => {
  const shown = (run: (at: number) => object) => {
    const runs = Array.from({ length: 100_000 }, (_, at) => ({ text: 'x', ...run(at) }));
    const { sections, isCut } = boundedReading([
      { title: '', blocks: [{ kind: 'paragraph', runs }] },
    ]);
    const [block] = sections[0]?.blocks ?? [];
    return { isCut, runs: block && 'runs' in block ? block.runs.length : 0 };
  };
  expect(shown(() => ({ isBold: true }))).toEqual({ isCut: false, runs: 1 });
  expect(shown((at) => ({ isBold: at % 2 === 0 }))).toEqual({ isCut: true, runs: 25_000 });
});

test('a Word file is read where a file embedded in it has streams of the same names', async () => {
  const streams = { '_1/1TablX': Buffer.alloc(9000), '_1/WordDocumenX': Buffer.alloc(9000) };
  const made = aBinaryWord([{ text: 'Tide\r' }], '', streams);
  // The library writes each name once.
  for (const name of ['1Table', 'WordDocument']) {
    const at = made.indexOf(Buffer.from(`${name.slice(0, -1)}X`, 'utf16le'));
    made.write(name, at, 'utf16le');
  }
  expect(await read('a.doc', made)).toEqual([['', 'Tide']]);
});

test('a drawing with a document type is left out of an OpenDocument text, and its words are not', async () => {
  const svg = '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "b">]><svg>&a;</svg>';
  const made = anOpenDocument('text', '<text:p>Tide</text:p>', {
    files: { 'Pictures/a.svg': svg },
  });
  expect(await read('a.odt', made)).toEqual([['', 'Tide']]);
});

describe('Word 95', () => {
  const plain = (text: string) => ({ text: Buffer.from(text, 'latin1') });

  test('a file has its headings, tables and fields', async () => {
    const cell = (text: string) => ({ ...plain(`${text}\u0007`), place: 'cell' as const });
    const rowEnd = { ...plain('\u0007'), place: 'row end' as const };
    const file = aWord95([
      { ...plain('Tides\r'), style: 2 },
      plain('High \u0013PAGE \u0014at nine\u0015 caf\u00E9\r'),
      cell('Quay'),
      cell('Metres'),
      rowEnd,
      cell('North'),
      cell('3'),
      rowEnd,
      plain('End\r'),
    ]);
    expect(await read('a.doc', file)).toEqual([
      ['', '## Tides', 'High at nine café', 'Quay|Metres;North|3', 'End'],
    ]);
  });

  test('a file that was saved quickly has its pieces in their order', async () => {
    const made = aWord95([plain('Tide at the\r'), plain('north quay\r')], { isInPieces: true });
    expect(await read('a.doc', made)).toEqual([['', 'Tide at the', 'north quay']]);
  });

  test.each([
    [0x419, [0xcf, 0xf0, 0xe8, 0xeb, 0xe8, 0xe2], 'Прилив'],
    [0x415, [0xa3, 0xf3, 0x64, 0x9f], 'Łódź'],
    [0x408, [0xcd, 0xe1, 0xdf], 'Ναί'],
  ])('a file of language %i has its letters', async (language, bytes, words) => {
    const made = aWord95([{ text: Buffer.from([...bytes, 13]) }], { language });
    expect(await read('a.doc', made)).toEqual([['', words]]);
  });
});

test.each<[string, Buffer, RegExp]>([
  ['a.ppt', compoundOf({ PP40: Buffer.alloc(5000) }), /PowerPoint 95 or older. LibreOffice/],
])('%s of another format says what to do', async (name, made, words) => {
  await expect(read(name, made)).rejects.toThrow(words);
});

describe('KMZ', () => {
  const mark = (name: string, at: string) =>
    `<Placemark><name>${name}</name><Point><coordinates>${at}</coordinates></Point></Placemark>`;
  const kml = (...marks: string[]) =>
    `<kml><Document><name>Quays</name>${marks.join('')}</Document></kml>`;

  test('the places of the file at the top are outlines and a table', async () => {
    const file = zipOf({
      'files/other.kml': kml(mark('Other', '1,1')),
      'doc.kml': kml(mark('North', '10,54'), mark('South', '10,53')),
      'files/photo.jpg': 'no photo',
    });
    expect(await read('a.kmz', file)).toEqual([
      [
        '',
        'drawing Outlines of 2 places, north at the top: 2',
        'Name|Kind;North|Point;South|Point',
      ],
    ]);
  });

  test.each([
    ['no KML', { 'a.txt': 'x' }],
    ['places of another site', { 'doc.kml': kml('<NetworkLink/>') }],
  ])('a file with %s says so', async (_, files) => {
    await expect(read('a.kmz', zipOf(files))).rejects.toThrow('names no places');
  });

  test('a long list is cut', async () => {
    const many = kml(...Array.from({ length: 501 }, () => mark('x'.repeat(3000), '1,1')));
    const reading = await readDocument({
      name: 'a.kmz',
      bytes: Uint8Array.from(await zipOf({ 'a.kml': many })),
    });
    const [, table] = reading.sections[0]?.blocks ?? [];
    expect(reading.isCut).toBe(true);
    expect(noted(table as Block)).toHaveLength(
      'Name|Kind'.length + 500 * ';Point|'.length + 500 * 2000,
    );
  });
});

test('a document of the newer Word that is named as one of the older is read', async () => {
  const document =
    '<w:document><w:body><w:p><w:r><w:t>Tides</w:t></w:r></w:p><w:tbl><w:tr><w:tc><w:p><w:r><w:t>North</w:t></w:r></w:p></w:tc></w:tr></w:tbl></w:body></w:document>';
  expect(await read('a.doc', zipOf({ 'word/document.xml': document }))).toEqual([
    ['', 'Tides', 'North'],
  ]);
  const old =
    '<w:wordDocument><w:body><w:p>Tides<w:pict><w:binData>AAAA</w:binData></w:pict></w:p></w:body></w:wordDocument>';
  expect(await read('a.doc', Buffer.from(old))).toEqual([['', 'Tides']]);
});

test('a page in XML is read with the pictures that it holds', async () => {
  const page =
    '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>No</title></head><body><h1>Tides</h1><p>At nine<o:p></o:p><img src="data:image/png;base64,iVBORw==" alt="Quay" /><img src="https://a.example/b.png" alt="Ship" /></p></body></html>';
  expect(await read('a.doc', Buffer.from(page))).toEqual([
    ['', '# Tides', 'At nine', 'picture Quay', 'Ship'],
  ]);
});

test('a FictionBook has its cover, its chapters and its notes, in the encoding that it names', async () => {
  const book = `<?xml version="1.0" encoding="windows-1251"?><FictionBook xmlns:l="http://www.w3.org/1999/xlink"><description><title-info><author><first-name>Anna</first-name><last-name>Sea</last-name></author><book-title>Tides &amp; ships</book-title><coverpage><image l:href="#c.png"/></coverpage></title-info></description><body><title><p>Tides</p></title><section><title><p>Chapter</p><p>One</p></title><p>At <emphasis>nine</emphasis></p><poem><stanza><v>North</v><v>South</v></stanza></poem><section><title><p>In it</p></title><p>\u00CF</p></section></section></body><body name="notes"><section><p>A note</p></section></body><binary id="c.png" content-type="image/png">iVBORw==</binary></FictionBook>`;
  expect(await read('a.fb2', Buffer.from(book, 'latin1'))).toEqual([
    ['', 'picture ', 'Anna Sea'],
    ['Tides', '## Tides'],
    ['Chapter One', '## Chapter One', 'At nine', 'North', 'South', '### In it', 'П'],
    ['', 'A note'],
  ]);
  await expect(read('a.fb2', Buffer.from('<html/>'))).rejects.toThrow('damaged');
});

test('formulas of a book are read once', async () => {
  const formula =
    '<p><math><semantics><mi>x</mi><annotation>x^2</annotation></semantics></math></p>';
  expect(await read('a.epub', anEpub({ One: formula }))).toEqual([['One', 'x']]);
});

test('the photos of places are below them, and no others', async () => {
  const photo = (src: string) =>
    `<description><![CDATA[<img width="9" src="${src}"/> At low tide]]></description>`;
  const mark = (name: string, more: string) =>
    `<Placemark><name>${name}</name>${more}<Point><coordinates>10,54</coordinates></Point></Placemark>`;
  const kml = `<kml><Document>${mark('Quay', photo('files/a%20b.png'))}${mark('Away', photo('https://a.example/c.png') + photo('../../etc/passwd'))}<GroundOverlay><name>Plan</name><Icon><href>files/plan.png</href></Icon></GroundOverlay></Document></kml>`;
  const file = zipOf({
    'doc.kml': kml,
    'files/a b.png': Buffer.from(picture),
    'files/plan.png': Buffer.from(picture),
    'files/icon.png': Buffer.from(picture),
  });
  expect((await read('a.kmz', file))[0]?.slice(3)).toEqual([
    'Quay',
    'picture Quay',
    'Plan',
    'picture Plan',
  ]);
});

test('RTF has its words and pictures, and less of them than a hostile one says', async () => {
  const rtf = String.raw`{\rtf1 {\b Tides}\line at nine & {\i ten}\par{\pict\pngblip 89504e47}{\pict\emfblip 00}\par Later}`;
  expect(await read('a.doc', Buffer.from(rtf))).toEqual([
    ['', 'Tides\nat nine & ten', 'picture Picture', 'A picture (EMF) is not shown here', 'Later'],
  ]);
  const [[, note = ''] = []] = await read(
    'a.doc',
    Buffer.from(`{\\rtf1 ${'{\\pict a}'.repeat(100_000)}}`),
  );
  expect(note.length).toBeLessThan(1_000_000);
});

test('a page of which the page read the beginning says that the rest is left out', async () => {
  const bytes = new TextEncoder().encode('<html xmlns=""><p>Tide</p></html>');
  const read = async (isCut: boolean) =>
    (await readDocument({ name: 'a.doc', bytes, isCut })).isCut;
  expect([await read(true), await read(false)]).toEqual([true, false]);
});

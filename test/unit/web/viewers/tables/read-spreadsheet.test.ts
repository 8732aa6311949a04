import { describe, expect, test } from '@jest/globals';
import { type BookType, utils, type WorkSheet, write } from '@e965/xlsx';
import JSZip from 'jszip';
import { readSpreadsheet } from '../../../../../web/viewers/tables/read-spreadsheet.ts';
import { tableLimits, textOf, type Workbook } from '../../../../../web/viewers/tables/sheet.ts';

type Kind = 'xlsx' | 'xls' | 'ods';
const kinds: Kind[] = ['xlsx', 'xls', 'ods'];

function aSheet(): WorkSheet {
  const sheet = utils.aoa_to_sheet([
    ['Ships of the harbour', null, null],
    ['Ship', 'Built', 'Share'],
    ['Tern', new Date(Date.UTC(2027, 0, 2)), 0.125],
    ['<b>Gull</b>', true, null, 'late'],
  ]);
  sheet['!merges'] = [utils.decode_range('A1:C1')];
  sheet['C3'].z = '0.0%';
  sheet['E4'] = { t: 'n', f: 'HYPERLINK("https://evil.example")', v: 7 };
  sheet['!ref'] = 'A1:E4';
  return sheet;
}

function bookOf(sheets: Record<string, WorkSheet>) {
  const book = utils.book_new();
  for (const [name, sheet] of Object.entries(sheets)) utils.book_append_sheet(book, sheet, name);
  return book;
}

function aBook(kind: Kind, sheets: Record<string, WorkSheet> = { Ships: aSheet() }) {
  return Buffer.from(write(bookOf(sheets), { type: 'buffer', bookType: kind }));
}

function readBytes(bytes: Buffer) {
  return readSpreadsheet({ name: 'ships', bytes: new Uint8Array(bytes), isCut: false });
}

async function changed(bytes: Buffer, path: string, change: (xml: string) => string) {
  const zip = await JSZip.loadAsync(bytes);
  zip.file(path, change((await zip.file(path)?.async('string')) ?? ''));
  return zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' });
}

describe.each(kinds)('a spreadsheet as %s', (kind) => {
  test('has its sheets, texts, numbers, dates and merged cells', async () => {
    const { sheets, isLettered } = await readBytes(
      aBook(kind, { Ships: aSheet(), Empty: utils.aoa_to_sheet([]) }),
    );
    expect(isLettered).toBe(true);
    expect(sheets.map(({ name }) => name)).toEqual(['Ships', 'Empty']);
    const [ships] = sheets;
    expect(ships?.merges).toEqual([{ row: 0, column: 0, rows: 1, columns: 3 }]);
    expect(ships?.rows).toEqual([
      ['Ships of the harbour'],
      ['Ship', 'Built', 'Share'],
      [
        'Tern',
        { text: kind === 'ods' ? '1/2/27' : '1/2/2027', value: 46_389 },
        // The library writes no format into an ods file.
        kind === 'ods' ? 0.125 : { text: '12.5%', value: 0.125 },
      ],
      ['<b>Gull</b>', 'TRUE', '', 'late', 7],
    ]);
    expect(ships?.isCut).toBe(false);
  });
});

test.each<BookType>(['xlsb', 'fods', 'xlsm'])('a spreadsheet as %s has its texts', async (kind) => {
  const bytes = Buffer.from(write(bookOf({ Ships: aSheet() }), { type: 'buffer', bookType: kind }));
  const { sheets } = await readBytes(bytes);
  expect(sheets[0]?.name).toBe('Ships');
  expect(sheets[0]?.rows.slice(0, 2)).toEqual([
    ['Ships of the harbour'],
    ['Ship', 'Built', 'Share'],
  ]);
});

test('a chart in a spreadsheet of one XML adds no sheet', async () => {
  const book = write(bookOf({ Ships: aSheet() }), { type: 'buffer', bookType: 'fods' });
  const chart =
    '<table:shapes><draw:frame><draw:object><office:document><office:body><office:chart><table:table table:name="local-table"><table:table-row><table:table-cell office:value-type="string"><text:p>Column</text:p></table:table-cell></table:table-row></table:table></office:chart></office:body></office:document></draw:object></draw:frame></table:shapes>';
  const xml = Buffer.from(book)
    .toString()
    .replace(/(<table:table [^>]*>)/, `$1${chart}`);
  const { sheets } = await readBytes(Buffer.from(xml));
  expect(sheets.map(({ name, rows }) => [name, rows[0]])).toEqual([
    ['Ships', ['Ships of the harbour']],
  ]);
});

test('what a spreadsheet keeps of other files is no sheet', async () => {
  const cached = "'file:///home/a/other.ods'#$Sheet1";
  const book = bookOf({ Ships: aSheet(), [`Copy`]: aSheet() });
  for (const bookType of ['fods', 'ods'] as const) {
    const bytes = Buffer.from(write(book, { type: 'buffer', bookType }));
    const named = (xml: string) => xml.replace('"Copy"', `"${cached.replaceAll("'", '&apos;')}"`);
    const made =
      bookType === 'fods'
        ? Buffer.from(named(bytes.toString()))
        : await changed(bytes, 'content.xml', named);
    expect((await readBytes(made)).sheets.map(({ name }) => name)).toEqual(['Ships']);
  }
});

test('a sheet that its author hid is not shown, and the others have their names, in any format', async () => {
  const book = bookOf({ Ships: aSheet(), 'Pay & rest': aSheet(), 'Q1 & Q2': aSheet() });
  book.Workbook = { Sheets: [{}, { Hidden: 1 }, {}] };
  // The library writes no hidden table of ODF.
  const hide = (xml: string) =>
    xml
      .replace(/<style:style [^<>]*style:family="table"[^<>]*>.*?<\/style:style>/s, (style) => {
        const name = style.replace(/style:name="[^"]*"/, 'style:name="hid"');
        return style + name.replace('table:display="true"', 'table:display="false"');
      })
      .replace(/(table:name="Pay &amp; rest" table:style-name=)"[^"]*"/, '$1"hid"');
  for (const bookType of ['xlsx', 'xls', 'ods', 'fods'] as const) {
    const bytes = Buffer.from(write(book, { type: 'buffer', bookType }));
    const made =
      bookType === 'fods'
        ? Buffer.from(hide(bytes.toString()))
        : bookType === 'ods'
          ? await changed(bytes, 'content.xml', hide)
          : bytes;
    const { sheets } = await readBytes(made);
    expect([bookType, ...sheets.map(({ name }) => name)]).toEqual([bookType, 'Ships', 'Q1 & Q2']);
  }
});

describe('a file named `.xls` that another program wrote as text', () => {
  const cells = [
    ['Ship', 'Metres'],
    ['Tern & Söhne', 62],
  ];
  const html = `<!DOCTYPE html><html><head><meta charset="utf-8"></head><body><table>${cells.map((row) => `<tr>${row.map((cell) => `<td>${String(cell).replace('&', '&amp;')}</td>`).join('')}</tr>`).join('')}</table></body></html>`;
  const tabs = cells.map((row) => row.join('\t')).join('\r\n');
  const xml = `<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="Fleet"><Table>${cells.map((row) => `<Row>${row.map((cell) => `<Cell><Data ss:Type="${typeof cell === 'number' ? 'Number' : 'String'}">${String(cell).replace('&', '&amp;')}</Data></Cell>`).join('')}</Row>`).join('')}</Table></Worksheet></Workbook>`;
  test.each([
    ['a page', Buffer.from(html)],
    ['a page with a byte order mark', Buffer.from(`\uFEFF${html}`)],
    ['a page in UTF-16', Buffer.from(`\uFEFF${html}`, 'utf16le')],
    ['text with tabs', Buffer.from(tabs)],
    ['text with tabs in UTF-16', Buffer.from(`\uFEFF${tabs}`, 'utf16le')],
    ['text with semicolons', Buffer.from(tabs.replaceAll('\t', ';'))],
    ['XML of Excel 2003', Buffer.from(xml)],
  ])('is read as what it is: %s', async (_, bytes) => {
    const { sheets } = await readBytes(bytes);
    const shown = sheets[0]?.rows.map((row) => row.map((cell) => textOf(cell)));
    expect(shown).toEqual([
      ['Ship', 'Metres'],
      ['Tern & Söhne', '62'],
    ]);
  });
});

test('rows and columns that are frozen stay in view', async () => {
  const xlsx = await changed(aBook('xlsx'), 'xl/worksheets/sheet1.xml', (xml) =>
    xml.replace(
      /<sheetViews>.*<\/sheetViews>/,
      '<sheetViews><sheetView workbookViewId="0"><pane xSplit="1" ySplit="2" topLeftCell="B3" state="frozen"/></sheetView></sheetViews>',
    ),
  );
  expect((await readBytes(xlsx)).sheets[0]).toMatchObject({ headRows: 2, headColumns: 1 });
  const item = (name: string, value: number) =>
    `<config:config-item config:name="${name}" config:type="int">${value}</config:config-item>`;
  const ods = await changed(
    aBook('ods'),
    'settings.xml',
    () =>
      `<office:document-settings><config:config-item-map-named config:name="Tables"><config:config-item-map-entry config:name="Ships">${item('HorizontalSplitMode', 0)}${item('VerticalSplitMode', 2)}${item('VerticalSplitPosition', 1)}</config:config-item-map-entry></config:config-item-map-named></office:document-settings>`,
  );
  expect((await readBytes(ods)).sheets[0]).toMatchObject({ headRows: 1, headColumns: 0 });
});

describe('a large file', () => {
  const texts = Array.from({ length: 4000 }, (_, row) => [row, `quay & ${row} ${'-'.repeat(240)}`]);
  const book = (kind: Kind) =>
    aBook(kind, { Ships: aSheet(), Quays: utils.aoa_to_sheet(texts), Short: aSheet() });

  async function startOf(bytes: Buffer) {
    const starts: Workbook[] = [];
    const whole = await readSpreadsheet(
      { name: 'ships', bytes: new Uint8Array(bytes), isCut: false },
      (start) => starts.push(start),
    );
    return { starts, whole };
  }

  test.each(kinds)('shows the first rows of each sheet before the others, as %s', async (kind) => {
    const { starts, whole } = await startOf(book(kind));
    const [start, ...others] = starts;
    expect(others).toEqual([]);
    expect(start?.sheets.map(({ name }) => name)).toEqual(['Ships', 'Quays', 'Short']);
    expect(whole.sheets[1]?.rows).toHaveLength(4000);
    expect(start?.sheets[1]?.rows).toEqual(whole.sheets[1]?.rows.slice(0, 200));
    expect(start?.sheets[0]).toEqual(whole.sheets[0]);
    expect(start?.sheets[2]).toEqual(whole.sheets[2]);
  });

  test('takes shared texts from where they are', async () => {
    const bytes = Buffer.from(
      write(bookOf({ Quays: utils.aoa_to_sheet(texts) }), {
        type: 'buffer',
        bookType: 'xlsx',
        bookSST: true,
      }),
    );
    const { starts, whole } = await startOf(bytes);
    expect(starts[0]?.sheets[0]?.rows).toEqual(whole.sheets[0]?.rows.slice(0, 200));
  });

  test('is read at once when its rows are not found', async () => {
    const bytes = await changed(book('ods'), 'content.xml', (xml) =>
      xml.replaceAll('table:', 't:').replace('xmlns:table', 'xmlns:t'),
    );
    expect((await startOf(bytes)).starts).toEqual([]);
  });

  test.each(kinds)('that is small has no start, as %s', async (kind) => {
    expect((await startOf(aBook(kind))).starts).toEqual([]);
  });
});

describe('hostile files', () => {
  test('a cell that stands for billions takes no room for them', async () => {
    const bytes = await changed(aBook('ods'), 'content.xml', (xml) =>
      xml
        .replace('<table:table-row>', '<table:table-row table:number-rows-repeated="1048576">')
        .replace('<table:table-cell ', '<table:table-cell table:number-columns-repeated="16384" '),
    );
    const { sheets } = await readBytes(bytes);
    expect(sheets[0]?.rows.length).toBeLessThan(2000);
  });

  test('a cell at the far end takes no room for the empty ones', async () => {
    const near = aBook('xlsx', { Far: utils.aoa_to_sheet([['near']]) });
    const bytes = await changed(near, 'xl/worksheets/sheet1.xml', (xml) =>
      xml
        .replace('ref="A1"', 'ref="A1:XFD1048576"')
        .replace(
          '</sheetData>',
          '<row r="1048576"><c r="XFD1048576" t="str"><v>far</v></c></row></sheetData>',
        ),
    );
    const { sheets } = await readBytes(bytes);
    expect(sheets[0]?.rows).toEqual([['near']]);
  });

  test('more cells than are shown are cut', async () => {
    const wide = utils.aoa_to_sheet([
      Array.from({ length: tableLimits.columns + 5 }, (_, at) => at),
    ]);
    const { sheets } = await readBytes(aBook('xlsx', { Wide: wide }));
    expect(sheets[0]?.rows[0]).toHaveLength(tableLimits.columns);
    expect(sheets[0]?.isCut).toBe(true);
  });

  test.each([
    ['no spreadsheet', Buffer.from('no archive at all')],
    [
      'a compound file of something else',
      Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
    ],
  ])('%s is damaged', (_, bytes) => expect(readBytes(bytes)).rejects.toThrow(/damaged/));

  test('a sheet with a document type is refused', async () => {
    const bytes = await changed(aBook('xlsx'), 'xl/worksheets/sheet1.xml', (xml) =>
      xml.replace('<worksheet', '<!DOCTYPE x [<!ENTITY a "b">]><worksheet'),
    );
    await expect(readBytes(bytes)).rejects.toThrow(/damaged/);
  });
});

test('a formula without a value is shown as it is written', async () => {
  const bytes = await changed(aBook('xlsx'), 'xl/worksheets/sheet1.xml', (xml) =>
    xml.replace(
      '</sheetData>',
      '<row r="6"><c r="A6" s="1"><f>SUM(A1:A2)&amp;"x"</f><v></v></c><c r="B6"><f>1+1</f><v>2</v></c><c r="C6" t="n"><f>B6</f></c></row></sheetData>',
    ),
  );
  const { sheets } = await readBytes(bytes);
  expect(sheets[0]?.rows[5]).toEqual(['=SUM(A1:A2)&"x"', 2, '=B6']);
});

test('pages and web archives that are named as sheets have the signs that they name', async () => {
  const table = '<table><tr><td>5 &euro;</td><td>K&ouml;ln</td></tr></table>';
  const archive = `MIME-Version: 1.0\nContent-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n\n<frameset>\n--b\nContent-Type: text/html\n\n${table}\n--b--`;
  for (const text of [`<html><body>${table}</body></html>`, archive]) {
    const { sheets } = await readBytes(Buffer.from(text));
    expect(sheets[0]?.rows).toEqual([['5 €', 'Köln']]);
  }
});

test('a table of dBase is read, and one that says it has more than it has is not', async () => {
  const bytes = Buffer.from(
    write(
      bookOf({
        Ships: utils.aoa_to_sheet([
          ['Ship', 'Share'],
          ['Tern', 0.5],
        ]),
      }),
      {
        type: 'buffer',
        bookType: 'dbf',
      },
    ),
  );
  const readDbf = () =>
    readSpreadsheet({ name: 'ships.dbf', bytes: new Uint8Array(bytes), isCut: false });
  const { sheets } = await readDbf();
  expect(sheets[0]?.rows.map((row) => row.map(textOf))).toEqual([
    ['Ship', 'Share'],
    ['Tern', '0.5'],
  ]);
  bytes.writeUInt32LE(0xffff_ffff, 4);
  await expect(readDbf()).rejects.toThrow('damaged');
});

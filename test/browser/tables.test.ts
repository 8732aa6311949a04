import { describe, expect, jest, test } from '@jest/globals';
import { type BookType, utils, type WorkBook, write } from '@e965/xlsx';
import JSZip from 'jszip';
import type { Page } from 'playwright-core';
import { picture } from './support/chromium.ts';
import { useViewerStand } from './support/use-viewer-stand.ts';

jest.setTimeout(300_000);

const viewers = useViewerStand();
let page: Page;

async function open(name: string, bytes: Uint8Array, width = 1280): Promise<void> {
  page = await viewers.samePage({ width, height: 800 });
  await page.goto(viewers.stand.show(name, bytes));
  await page.locator('[data-controls], [data-fault]').filter({ visible: true }).first().waitFor();
}

function aBook(): WorkBook {
  const ships = utils.aoa_to_sheet([
    ['Ships of the harbour'],
    ['Ship', 'Built', 'Metres'],
    ['Tern', new Date(Date.UTC(2027, 0, 2)), 62],
    ['<img src=x onerror=alert(1)>', new Date(Date.UTC(2026, 11, 31)), 48],
  ]);
  ships['!merges'] = [utils.decode_range('A1:C1')];
  const tides = utils.aoa_to_sheet(
    Array.from({ length: 2000 }, (_, hour) => [hour, `tide ${hour}`]),
  );
  const book = utils.book_new();
  utils.book_append_sheet(book, ships, 'Ships');
  utils.book_append_sheet(book, tides, 'Tides');
  return book;
}

describe.each<BookType>(['xlsx', 'xls', 'ods'])('a spreadsheet as %s', (bookType) => {
  test('shows its sheets, on a phone too', async () => {
    await open(`harbour.${bookType}`, write(aBook(), { type: 'buffer', bookType }), 390);
    expect(await page.locator('td[colspan="3"]').textContent()).toBe('Ships of the harbour');
    expect(await page.locator('tbody tr').nth(3).locator('td').allTextContents()).toEqual([
      'Tern',
      bookType === 'ods' ? '1/2/27' : '1/2/2027',
      '62',
    ]);
    await page.getByText('<img src=x onerror=alert(1)>').waitFor();
    await picture(page, `table-${bookType}-390`);
    await page.getByRole('button', { name: 'Tides' }).click();
    await page.getByText('2,000 rows.').waitFor();
    expect(await page.locator('tbody tr').count()).toBeLessThan(100);
    const over = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(over)).toBe(0);
  });
});

describe.each([
  ['one word', (column: number) => `Measurement${column}`],
  ['ten words', (column: number) => `Depth of water at the north quay in metres, ${column}`],
])('a long table with 40 headings of %s', (_, headingOf) => {
  test.each(['csv', 'xlsx'])(
    'as %s has headings in whole words above rows in view',
    async (kind) => {
      const columns = Array.from({ length: 40 }, (_, column) => column);
      const cells = [
        columns.map(headingOf),
        ...Array.from({ length: 400 }, (_, row) => columns.map((column) => row * column)),
      ];
      const book = utils.book_new();
      utils.book_append_sheet(book, utils.aoa_to_sheet(cells), 'Depths');
      const csv = cells.map((row) => row.map((cell) => `"${cell}"`).join(',')).join('\n');
      await open(
        `depths.${kind}`,
        kind === 'csv' ? Buffer.from(csv) : write(book, { type: 'buffer', bookType: 'xlsx' }),
      );
      await picture(page, `table-headings-${headingOf(1).length}-${kind}`);
      const heights = await page
        .locator('thead')
        .evaluate((head: any) => [head.offsetHeight, head.rows[0].cells[9].offsetWidth]);
      expect(heights[0]).toBeLessThan(140);
      expect(heights[1]).toBeGreaterThan(60);
      expect(await page.locator('tbody tr:not(.space)').nth(2).isVisible()).toBe(true);
      const numbers = page.locator('tbody th').first();
      if (kind === 'xlsx') expect((await numbers.boundingBox())?.width).toBeLessThan(90);
    },
  );
});

const rows = Array.from(
  { length: 15_000 },
  (_, row) => `${row},quay ${(row * 7919) % 15_000},3,4,5,6,7,8,9,10`,
);
const long = Buffer.from(`id,name,a,b,c,d,e,f,g,h\n${rows.join('\n')}\n`);

/** Counts the cells of each message of a worker to the page. */
const countCells = `(() => {
  window.cellCounts = [];
  const NativeWorker = Worker;
  window.Worker = class extends NativeWorker {
    constructor(...args) {
      super(...args);
      this.addEventListener('message', ({ data }) => {
        const rows = data.part?.rows ?? (data.part?.start ?? data.result).sheets[0].rows;
        window.cellCounts.push(rows.reduce((sum, row) => sum + row.length, 0));
      });
    }
  };
})()`;

describe('a table of 150,000 cells', () => {
  test('comes from its worker in portions, so that the page can answer between them', async () => {
    page = await viewers.newPage({ viewport: { width: 1280, height: 800 } });
    await page.addInitScript(countCells);
    await page.goto(viewers.stand.show('long.csv', long));
    await page.getByText('15,000 rows.').waitFor();
    const counts = await page.evaluate<number[]>('window.cellCounts');
    expect(counts.length).toBeGreaterThan(7);
    expect(Math.max(...counts)).toBeLessThanOrEqual(20_000);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(150_010);
  });

  test('has only the rows in view in the document, wherever somebody scrolls', async () => {
    await open('long.csv', long);
    const frame = page.getByRole('region', { name: 'Table' });
    const count = () => page.locator('tbody tr').count();
    expect(await count()).toBeLessThan(120);
    await frame.focus();
    await page.keyboard.press('End');
    await page.getByText('quay 7081', { exact: true }).waitFor();
    expect(await count()).toBeLessThan(120);
    expect(await page.locator('tbody tr[aria-rowindex="15001"]').count()).toBe(1);
  });

  test('is sorted by a column, up and down, and searched', async () => {
    await open('long.csv', long);
    const heading = page.getByRole('columnheader', { name: 'name' });
    const first = () => page.locator('tbody tr:not(.space) td').nth(1).textContent();
    await heading.getByRole('button').press('Enter');
    expect(await heading.getAttribute('aria-sort')).toBe('ascending');
    expect(await first()).toBe('quay 0');
    await heading.getByRole('button').press('Enter');
    expect(await first()).toBe('quay 14999');
    await page.getByRole('searchbox').fill('QUAY 77');
    await page.getByText('111 of 15,000 rows.').waitFor();
    expect(await first()).toBe('quay 7799');
  });

  test('is copied as text, the rows of a search alone', async () => {
    await open('long.csv', long);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('searchbox').fill('quay 7081');
    await page.getByRole('button', { name: 'Copy as text' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(
      'id\tname\ta\tb\tc\td\te\tf\tg\th\n14999\tquay 7081\t3\t4\t5\t6\t7\t8\t9\t10',
    );
  });
});

test('a sheet has its fills, and one without cells counts its charts; a search ends with its sheet', async () => {
  const zip = await JSZip.loadAsync(write(aBook(), { type: 'buffer', bookType: 'xlsx' }));
  const change = async (path: string, edit: (xml: string) => string) =>
    zip.file(path, edit((await zip.file(path)?.async('string')) ?? ''));
  await change('xl/styles.xml', (xml) =>
    xml
      .replace(
        /<fonts[^]*?<\/fonts>/,
        '<fonts><font/><font><b/><color rgb="FFB3361A"/></font></fonts>',
      )
      .replace(
        /<fills[^]*?<\/fills>/,
        '<fills><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FFFFEE99"/></patternFill></fill></fills>',
      )
      .replace('</cellXfs>', '<xf numFmtId="0" fontId="1" fillId="1" borderId="0"/></cellXfs>'),
  );
  const looks =
    ((await zip.file('xl/styles.xml')?.async('string')) ?? '')
      .match(/<cellXfs[^]*<\/cellXfs>/)?.[0]
      .match(/<xf /g)?.length ?? 1;
  await change('xl/worksheets/sheet1.xml', (xml) =>
    xml.replace('<c r="A2"', `<c r="A2" s="${looks - 1}"`),
  );
  await change('xl/worksheets/sheet2.xml', (xml) =>
    xml.replace(/<sheetData>[^]*<\/sheetData>/, '<sheetData/>'),
  );
  zip.file(
    'xl/worksheets/_rels/sheet2.xml.rels',
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="d" Type="x" Target="../drawings/drawing1.xml"/></Relationships>',
  );
  zip.file(
    'xl/drawings/drawing1.xml',
    '<xdr:wsDr xmlns:xdr="x" xmlns:c="c"><c:chart r:id="a"/></xdr:wsDr>',
  );
  await open('ships.xlsx', await zip.generateAsync({ type: 'nodebuffer' }));
  const ship = page.locator('td').filter({ hasText: /^Ship$/ });
  await picture(page, 'table-fills');
  expect(await ship.getAttribute('style')).toContain('rgb(255, 238, 153)');
  await page.getByRole('searchbox').fill('nowhere');
  await page.getByText('Nothing found.').waitFor();
  await page.getByRole('button', { name: 'Tides' }).click();
  await page.getByText('This sheet also has a chart').waitFor();
  expect(await page.getByRole('searchbox').inputValue()).toBe('');
  expect(await page.getByText('This sheet is empty').count()).toBe(0);
});

test('a file that is no spreadsheet has an explanation', async () => {
  await open('plan.xlsx', Buffer.from('no archive'));
  expect(await page.getByRole('alert').textContent()).toContain('damaged');
});

/** Sends nothing but the first rows of a file to the page until the test asks for the rest. */
const holdTheRest = `(() => {
  const NativeWorker = Worker;
  window.Worker = class extends NativeWorker {
    addEventListener(type, listener) {
      if (type !== 'message') return super.addEventListener(type, listener);
      const held = [];
      super.addEventListener(type, (event) => {
        if ('start' in (event.data.part ?? {})) return listener(event);
        held.push(event);
        if ('part' in event.data) return;
        window.sendTheRest = (other) => {
          for (const one of other === undefined ? held : [{ data: other }]) listener(one);
        };
        document.documentElement.dataset.held = '';
      });
    }
  };
})()`;

describe('a large spreadsheet', () => {
  const sheet = utils.aoa_to_sheet(
    Array.from({ length: 4000 }, (_, row) => [row, `quay ${row}`, '-'.repeat(300)]),
  );
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.aoa_to_sheet([['Ships']]), 'Ships');
  utils.book_append_sheet(book, sheet, 'Quays');
  const file = write(book, { type: 'buffer', bookType: 'xlsx', compression: true });

  async function openStart() {
    page = await viewers.newPage({ viewport: { width: 1280, height: 800 } });
    await page.addInitScript(holdTheRest);
    await page.goto(viewers.stand.show('quays.xlsx', file));
    await page.getByRole('button', { name: 'Quays' }).click();
    await page.getByText('Reading the rest of the file …').waitFor();
    await page.locator('html[data-held]').waitFor();
  }

  test('is shown before all of it is read, and stays where somebody is in it', async () => {
    await openStart();
    await page.getByRole('columnheader', { name: 'A' }).getByRole('button').click();
    const frame = page.getByRole('region', { name: 'Sheet Quays' });
    await frame.evaluate((one: any) => one.scrollTo(0, 3600));
    await frame.focus();
    expect(await page.getByRole('button', { name: 'Copy as text' }).isDisabled()).toBe(true);
    await page.evaluate('window.sendTheRest()');
    await page.getByText('4,000 rows.').waitFor();
    expect(await frame.evaluate((one: any) => one.scrollTop)).toBe(3600);
    expect(await page.locator(':focus').getAttribute('aria-label')).toBe('Sheet Quays');
    expect(await page.locator('[aria-sort=ascending]').textContent()).toBe('A');
    expect(await page.getByRole('button', { name: 'Quays' }).getAttribute('aria-pressed')).toBe(
      'true',
    );
    await page.getByRole('searchbox').fill('quay 3999');
    await page.getByText('1 of 4,000 rows.').waitFor();
  });

  test('keeps its first rows when the rest cannot be read', async () => {
    await openStart();
    await page.evaluate(`window.sendTheRest({ error: 'The file takes too long to open.' })`);
    const note =
      'Only the first 200 rows are shown. Download the file to see all of it. The file takes too long to open.';
    await page.getByText(note).waitFor();
    await page.getByText('quay 7', { exact: true }).waitFor();
  });
});

test('a table in an older encoding has a menu, and the choice is in the address', async () => {
  await open('quays.csv', Buffer.from('Wo,Wann\nKai,Übermorgen\n', 'latin1'));
  await page.getByText('Übermorgen').waitFor();
  await page.getByLabel('Characters').selectOption('Cyrillic (Windows)');
  await page.getByText('Ьbermorgen').waitFor();
  expect(new URL(page.url()).hash).toBe('#encoding=windows-1251');
  expect(await page.getByLabel('Characters').inputValue()).toBe('windows-1251');
  await picture(page, 'table-encoding');
});

test.each([
  ['note.txt', 'Wo und wann\n\nKai, Übermorgen\n', '.line'],
  ['quay.md', '# Wo und *wann*\n\nKai, **Übermorgen**\n', '.prose strong'],
  [
    'quay.ics',
    'BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Kai Übermorgen\nDTSTART:20270101\nEND:VEVENT\nEND:VCALENDAR\n',
    '.prose',
  ],
  ['long.log', `Übermorgen\n${'Kai\n'.repeat(30_000)}`, '.listing'],
])('%s in an older encoding has the menu too', async (name, text, place) => {
  await open(name, Buffer.from(text, 'latin1'));
  await page.locator(place).filter({ hasText: 'Übermorgen' }).waitFor();
  await page.getByLabel('Characters').selectOption('Cyrillic (Windows)');
  await page.locator(place).filter({ hasText: 'Ьbermorgen' }).waitFor();
  await page.getByLabel('Characters').selectOption('Western European');
  await page.locator(place).filter({ hasText: 'Übermorgen' }).waitFor();
  expect(await page.locator('.line').filter({ hasText: 'Wo und wann' }).count()).toBe(
    name === 'note.txt' ? 1 : 0,
  );
  await picture(page, `text-encoding-${name}`);
});

test('a text in UTF-8 has no menu of encodings', async () => {
  await open('note.txt', Buffer.from('Übermorgen\n'));
  await page.getByText('Übermorgen').waitFor();
  expect(await page.getByLabel('Characters').count()).toBe(0);
});

test('numbers of rows stand in one line', async () => {
  const book = utils.book_new();
  const rows = Array.from({ length: 12 }, (_, row) => [`Quay ${row}`, row]);
  utils.book_append_sheet(book, utils.aoa_to_sheet(rows), 'Quays');
  await open('quays.xlsx', write(book, { type: 'buffer', bookType: 'xlsx' }));
  await page.getByText('Quay 11', { exact: true }).waitFor();
  const heights = await page.evaluate<number[]>(
    "[...document.querySelectorAll('tbody th[scope=row]')].map((one) => one.clientHeight)",
  );
  expect(heights).toHaveLength(12);
  expect(new Set(heights).size).toBe(1);
});

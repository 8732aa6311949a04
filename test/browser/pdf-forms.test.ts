import { readFileSync } from 'node:fs';
import { expect, jest, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import {
  anXfaForm,
  anXfaTemplate,
  withOptions,
  xfaEnd,
  xfaStart,
} from '../fixtures/visits/hostile-pdfs.ts';
import { aDocumentOf, aStream } from '../fixtures/visits/sample-pdfs.ts';
import { expectGoodLayout } from './support/chromium.ts';
import { useViewerStand } from './support/use-viewer-stand.ts';

jest.setTimeout(300_000);

const viewers = useViewerStand();
let page: Page;

async function open(bytes: Buffer): Promise<void> {
  page = await viewers.newPage({ viewport: { width: 900, height: 800 }, acceptDownloads: true });
  await page.goto(viewers.stand.show('Berths.pdf', bytes));
}

/** What a click saves. */
async function saved(click: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), click()]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

const appearance = '/DA (/F 12 Tf 0 g) /F 4';
const fields = [
  `<< /Type /Annot /Subtype /Widget /FT /Tx /T (ship) /TU (Name of the ship) /V (Tern) ${appearance} /Rect [30 250 230 270] /P 5 0 R >>`,
  `<< /Type /Annot /Subtype /Widget /FT /Tx /Ff 4096 /T (notes) ${appearance} /Rect [30 180 230 240] /P 5 0 R >>`,
  `<< /Type /Annot /Subtype /Widget /FT /Ch /Ff 131072 /T (quay) /Opt [(North) (East)] /V (East) ${appearance} /Rect [30 150 230 170] /P 5 0 R >>`,
  `<< /Type /Annot /Subtype /Widget /FT /Btn /T (pilot) /V /Yes /AS /Yes /AP << /N << /Yes 11 0 R /Off 11 0 R >> >> /MK << /CA (4) >> /F 4 /Rect [30 120 50 140] /P 5 0 R >>`,
  aStream('', '/Type /XObject /Subtype /Form /BBox [0 0 20 20]'),
  `<< /Type /Annot /Subtype /Widget /FT /Tx /Ff 1 /T (fixed) /V (Northport) ${appearance} /Rect [30 90 230 110] /P 5 0 R >>`,
];
const form = aDocumentOf(
  [{ lines: ['Berth request'], annotations: [7, 8, 9, 10, 12].map((id) => `${id} 0 R`) }],
  {
    catalog:
      '/AcroForm << /Fields [7 0 R 8 0 R 9 0 R 10 0 R 12 0 R] /DA (/F 12 Tf 0 g) /DR << /Font << /F 3 0 R >> >> /NeedAppearances true >>',
    objects: fields,
  },
);

const ship = () => page.getByRole('textbox', { name: 'Name of the ship' });

test('a form has its values, is filled in by keyboard, and saved with what was entered', async () => {
  await open(form);
  expect(await ship().inputValue()).toBe('Tern');
  const [quay, pilot] = [page.locator('.fields select'), page.locator('.fields [type=checkbox]')];
  expect([await quay.inputValue(), await pilot.isChecked()]).toEqual(['East', true]);
  expect(await page.locator('.fields [name=fixed]').inputValue()).toBe('Northport');
  expect(await page.locator('.fields [name=fixed]').isDisabled()).toBe(true);
  await expectGoodLayout(page, 'pdf-form');
  expect(await asksBeforeLeaving()).toBe(false);
  await ship().fill('Gull 0 n c p');
  expect(await asksBeforeLeaving()).toBe(true);
  await quay.selectOption('North');
  await pilot.press('Space');
  await page.locator('textarea').focus();
  await page.keyboard.type('Not before noon, please');
  expect(await page.locator('textarea').inputValue()).toBe('Not before noon, please');
  expect(await page.locator('#contents').isVisible()).toBe(false);
  const copy = await saved(() =>
    page.getByRole('button', { name: 'Save a filled-in copy' }).click(),
  );
  expect(copy.name).toBe('Berths.pdf');
  expect(await asksBeforeLeaving()).toBe(false);
  await page.context().close();
  await open(copy.bytes);
  expect(await ship().inputValue()).toBe('Gull 0 n c p');
  expect(await page.locator('.fields select').inputValue()).toBe('North');
  expect(await page.locator('.fields [type=checkbox]').isChecked()).toBe(false);
  expect(await page.locator('textarea').inputValue()).toBe('Not before noon, please');
});

const xfaData =
  '<xfa:datasets xmlns:xfa="http://www.xfa.org/schema/xfa-data/1.0/"><xfa:data><request><ship>Tern</ship></request></xfa:data></xfa:datasets>';
const xfaTemplate =
  anXfaTemplate(`<draw w="70mm" h="8mm"><value><text>Berth request</text></value></draw>
<field name="ship" w="70mm" h="8mm"><caption reserve="25mm"><value><text>Ship</text></value></caption><ui><textEdit/></ui><value><text>Tern</text></value></field>
<draw w="70mm" h="8mm"><value><exData contentType="text/html"><body xmlns="http://www.w3.org/1999/xhtml"><p><a href="javascript:alert(1)">Run</a> <a href="https://example.org/tides">Tides</a></p></body></exData></value></draw>
<event activity="initialize"><script contentType="application/x-javascript">app.alert(1)</script></event>`);

test('an XFA form is laid out, filled in, saved and printed; nothing in it runs', async () => {
  await open(
    anXfaForm(
      'Please wait',
      '[(preamble) 7 0 R (template) 8 0 R (datasets) 9 0 R (postamble) 10 0 R]',
      xfaStart,
      xfaTemplate,
      xfaData,
      xfaEnd,
    ),
  );
  await page.getByText('Berth request').waitFor();
  const field = page.locator('.xfaTextfield');
  expect(await field.inputValue()).toBe('Tern');
  await page.getByText('This form has a format (XFA)').waitFor();
  await expectGoodLayout(page, 'pdf-xfa');
  await field.fill('Gull');
  const links = page.locator('.leaf a');
  expect(await links.evaluateAll((all: any[]) => all.map((link) => link.href))).toEqual([
    '',
    'https://example.org/tides',
  ]);
  const copy = await saved(() =>
    page.getByRole('button', { name: 'Save a filled-in copy' }).click(),
  );
  await page.evaluate(`window.print = () => { document.body.dataset.printed = 'yes' }`);
  await page.getByRole('button', { name: 'Print' }).click();
  await page.locator('body[data-printed]').waitFor();
  await page.context().close();
  await open(copy.bytes);
  await page.getByText('Berth request').waitFor();
  expect(await page.locator('.xfaTextfield').inputValue()).toBe('Gull');
});

test('a form that the library cannot save says what to do instead', async () => {
  await open(anXfaForm('Please wait', '7 0 R', xfaStart + xfaTemplate + xfaData + xfaEnd));
  await page.locator('.xfaTextfield').fill('Gull');
  await page.getByRole('button', { name: 'Save a filled-in copy' }).click();
  await page.getByText('The copy could not be made. Print the form instead.').waitFor();
  // What was entered would be lost, and it is not saved.
  expect(await asksBeforeLeaving()).toBe(true);
});

/** Whether the browser asks before the page is left; the page stays. */
async function asksBeforeLeaving(): Promise<boolean> {
  return page.evaluate<boolean>("!dispatchEvent(new Event('beforeunload', { cancelable: true }))");
}

test('a field with more choices than a page may have is text, and its neighbours can be chosen', async () => {
  await open(withOptions('Berth request', [100, 20_000, 200]));
  await page
    .locator('.uncounted')
    .filter({ hasText: /^Berth$/ })
    .waitFor();
  expect(await page.locator('.uncounted').count()).toBe(1);
  await page.getByText('more choices than this page can offer').waitFor();
  const counts = await page
    .locator('.fields select')
    .evaluateAll((all: any[]) => all.map(({ length, value }) => [length, value]));
  expect(counts).toEqual([
    [100, 'b'],
    [200, 'b'],
  ]);
  await expectGoodLayout(page, 'pdf-options');
});

/** A file specification; its name is UTF-16. */
function attached(name: string, content: number): string {
  const wide = Buffer.from(`\uFEFF${name}`, 'utf16le').swap16().toString('hex');
  return `<< /Type /Filespec /UF <${wide}> /EF << /F ${content} 0 R >> >>`;
}

test('attached files are listed and saved under harmless names, never opened', async () => {
  const note = `<< /Type /Annot /Subtype /FileAttachment /Rect [250 300 270 320] /FS ${attached('plan.html', 10)} >>`;
  await open(
    aDocumentOf([{ lines: ['Berth request'], annotations: [note] }], {
      catalog: '/Names << /EmbeddedFiles << /Names [(a) 7 0 R (b) 8 0 R (c) 9 0 R] >> >>',
      objects: [
        attached('../../etc/.invoice.xml', 10),
        attached('a\u202Egnp.exe\r\nx:<b>', 10),
        attached('', 10),
        aStream('<script>alert(1)</script>', '/Type /EmbeddedFile /Subtype /text#2Fhtml'),
      ],
    }),
  );
  await page.getByText('Berth request').waitFor();
  const started: string[] = [];
  page.on('worker', (worker) => started.push(worker.url()));
  await page.getByRole('button', { name: 'Contents' }).click();
  await page.locator('[data-thumbnails] canvas').waitFor();
  expect(started).toEqual([]);
  await page.getByRole('button', { name: 'Attachments' }).click();
  const list = page.getByRole('navigation', { name: 'Attachments' }).getByRole('button');
  await list.first().waitFor();
  const names = await list.allTextContents();
  expect(names).toEqual([
    expect.stringContaining('invoice.xml'),
    expect.not.stringMatching(/[\u202e\r\n:<>]/),
    expect.stringContaining('unnamed'),
  ]);
  await expectGoodLayout(page, 'pdf-attachments');
  expect(started).toHaveLength(1);
  expect(page.workers()).toHaveLength(1);
  const file = await saved(() => list.first().click());
  expect(file.name).toBe('invoice.xml');
  expect(file.bytes.toString()).toBe('<script>alert(1)</script>');
  await page.locator('summary[aria-label="Attached file"]').press('Enter');
  const plan = await saved(() => page.getByRole('button', { name: 'Save plan.html' }).click());
  expect(plan.name).toBe('plan.html');
  expect(page.context().pages()).toHaveLength(1);
});

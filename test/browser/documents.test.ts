import { expect, jest, test } from '@jest/globals';
import JSZip from 'jszip';
import type { Page } from 'playwright-core';
import { aLockedPdf } from '../fixtures/visits/locked-pdf.ts';
import { aLockedOffice } from '../fixtures/visits/locked-office.ts';
import { aDocx, aDrawing, aPptx } from '../fixtures/visits/sample-documents.ts';
import { picture } from './support/chromium.ts';
import { aPng, aWav } from './support/sample-files.ts';
import { useViewerStand } from './support/use-viewer-stand.ts';

jest.setTimeout(300_000);

const viewers = useViewerStand();
let page: Page;

async function open(name: string, bytes: Buffer): Promise<void> {
  page = await viewers.samePage({ width: 800, height: 900 });
  await page.goto(viewers.stand.show(name, bytes));
}

test('pictures that cannot be shown leave a box, and the text stays', async () => {
  const broken = [
    '<pic:pic/>',
    '<pic:pic><pic:nvPicPr/></pic:pic>',
    '<pic:pic><pic:blipFill/><pic:spPr/></pic:pic>',
  ].map(
    (pic) =>
      `<w:p><w:r><w:drawing><wp:inline><a:graphic><a:graphicData>${pic}</a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`,
  );
  const empty = '<w:p><w:r><w:drawing><wp:inline><a:graphic/></wp:inline></w:drawing></w:r></w:p>';
  const body = [
    ...broken,
    empty,
    ...['emf', 'bad', 'lost', 'good'].map((relation) => aDrawing(relation)),
  ].join('');
  await open(
    'letter.docx',
    await aDocx('Letter to the harbour master', {
      body,
      relations: [
        ['emf', 'image', 'media/plan.emf'],
        ['bad', 'image', 'media/bad.png'],
        ['lost', 'image', 'media/lost.png'],
        ['good', 'image', 'media/good.png'],
      ],
      parts: {
        'word/media/plan.emf': Buffer.from('no picture of browsers'),
        'word/media/bad.png': Buffer.from('no picture'),
        'word/media/good.png': aPng(60, 40, [179, 54, 26]),
      },
    }),
  );
  await page.getByText('Letter to the harbour master').waitFor();
  await page.getByText('With kind regards').waitFor();
  await page.getByText('Damaged picture').first().waitFor();
  await page.getByText('Picture that is not in this file').waitFor();
  expect(await page.locator('section img').count()).toBe(1);
  await picture(page, 'document-pictures');
});

test('a wide picture fits a phone, and has the words of its author', async () => {
  const body = aDrawing('wide', 'The quay at low tide', [5_486_400, 2_743_200]);
  await open(
    'letter.docx',
    await aDocx('Letter', {
      body,
      relations: [['wide', 'image', 'media/wide.png']],
      parts: { 'word/media/wide.png': aPng(60, 30, [179, 54, 26]) },
    }),
  );
  const image = page.getByRole('img', { name: 'The quay at low tide' });
  await image.waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.locator('.narrow').waitFor();
  const { x, width, height } = (await image.boundingBox()) ?? { x: 0, width: 0, height: 1 };
  expect(x > 0 && x + width < 390).toBe(true);
  expect(width / height).toBeCloseTo(2, 1);
  await picture(page, 'document-phone');
});

test('words in controls, fields, text boxes and links are shown, and symbols are characters', async () => {
  const run = (text: string, font = '') =>
    `<w:r>${font && `<w:rPr><w:rFonts w:ascii="${font}" w:hAnsi="${font}"/></w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`;
  const p = (content: string, list = '') =>
    `<w:p>${list && `<w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="${list}"/></w:numPr></w:pPr>`}${content}</w:p>`;
  const sdt = (content: string) =>
    `<w:sdt><w:sdtPr/><w:sdtContent>${content}</w:sdtContent></w:sdt>`;
  const box = `<w:r><mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"><mc:Choice Requires="wps"><w:drawing><wp:anchor><wp:extent cx="914400" cy="914400"/><a:graphic><a:graphicData><wps:wsp><wps:txbx><w:txbxContent>${p(run('In the text box'))}</w:txbxContent></wps:txbx></wps:wsp></a:graphicData></a:graphic></wp:anchor></w:drawing></mc:Choice><mc:Fallback><w:pict/></mc:Fallback></mc:AlternateContent></w:r>`;
  const body = [
    `<w:tbl>${sdt(`<w:tr>${sdt(`<w:tc>${sdt(p(run('In the cell')))}</w:tc>`)}</w:tr>`)}</w:tbl>`,
    p(
      `<w:fldSimple w:instr="TITLE">${run('In the field ')}</w:fldSimple><w:moveTo w:id="1">${run('moved ')}</w:moveTo><w:hyperlink r:id="link"><w:ins w:id="2">${run('in the link')}</w:ins></w:hyperlink>`,
    ),
    p(`${run('Cover ')}${box}`),
    p(
      `<w:r><w:ruby><w:rubyPr/><w:rt>${run('みなと')}</w:rt><w:rubyBase>${run('港')}</w:rubyBase></w:ruby></w:r>`,
    ),
    p(run('listed'), '1'),
    p(
      `${run('\uF0FC', 'Wingdings')}${run(' done ')}<w:r><w:sym w:font="Symbol" w:char="F061"/></w:r>`,
    ),
  ].join('');
  const w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
  await open(
    'letter.docx',
    await aDocx('Letter', {
      body,
      relations: [['lists', 'numbering', 'numbering.xml']],
      parts: {
        'word/numbering.xml': `<w:numbering ${w}><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="bullet"/><w:lvlText w:val="\uF0A7"/><w:rPr><w:rFonts w:ascii="Wingdings" w:hAnsi="Wingdings"/></w:rPr></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`,
        'word/styles.xml': `<w:styles ${w}><w:docDefaults><w:rPrDefault><w:rPr><w:sz w:val="24"/></w:rPr></w:rPrDefault></w:docDefaults><w:style w:type="character"><w:rPr><w:sz w:val="2"/></w:rPr></w:style></w:styles>`,
      },
    }),
  );
  await page.getByText('With kind regards').waitFor();
  const text = await page.locator('section.docx').innerText();
  for (const words of [
    'In the cell',
    'In the field moved in the link',
    'In the text box',
    '港(みなと)',
    '✓ done α',
  ])
    expect(text).toContain(words);
  const bullet =
    'getComputedStyle(document.querySelector("[data-stage]").shadowRoot.querySelector("[class*=docx-num]"), "::before").content';
  expect(await page.evaluate<string>(bullet)).toContain('▪');
  const size = await page
    .getByText('With kind regards')
    .evaluate(
      (element: any) => element.ownerDocument.defaultView.getComputedStyle(element).fontSize,
    );
  expect(size).toBe('16px');
  await picture(page, 'document-words');
});

/** What the stage had each time it was filled. */
const fillings = `(() => {
  globalThis.fillings = [];
  const fill = ShadowRoot.prototype.replaceChildren;
  ShadowRoot.prototype.replaceChildren = function (...nodes) {
    fill.apply(this, nodes);
    const { length } = this.querySelectorAll('p');
    const wait = document.querySelector('[data-loading]');
    globalThis.fillings.push([length, this.textContent.includes('With kind regards'), wait.hidden]);
  };
})()`;

test('a long document shows its first pages before it has laid out the others', async () => {
  const paragraph = `<w:p><w:r><w:t>${'The quay is open. '.repeat(30)}</w:t></w:r></w:p>`;
  const count = 2500;
  const bytes = await aDocx('The long plan', { body: paragraph.repeat(count) });
  page = await viewers.newPage({ viewport: { width: 800, height: 900 } });
  await page.addInitScript(fillings);
  await page.goto(viewers.stand.show('plan.docx', bytes));
  await page.getByText('The long plan').waitFor();
  await page.locator('.follows').waitFor({ state: 'detached' });
  await page.getByText('With kind regards').waitFor();
  const [first, whole, ...more] = await page.evaluate<[number, boolean, boolean][]>('fillings');
  expect(more).toEqual([]);
  expect(first?.[0]).toBeGreaterThan(100);
  expect(first?.[0]).toBeLessThan(count / 5);
  expect(first?.slice(1)).toEqual([false, false]);
  expect(whole?.[0]).toBeGreaterThan(count);
  expect(whole?.slice(1)).toEqual([true, true]);
});

/** Four paragraphs of one list, with a page break in the middle. */
function aNumberedDocx(): Promise<Buffer> {
  const main = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
  const item = (text: string, more = '') =>
    `<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>${text}</w:t>${more}</w:r></w:p>`;
  const level =
    '<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="Rule %1)"/></w:lvl>';
  return aDocx('Rules of the harbour', {
    body: `${item('Ebb')}${item('Flood', '<w:br w:type="page"/>')}${item('Spring')}${item('Neap')}`,
    relations: [['numbers', 'numbering', 'numbering.xml']],
    parts: {
      'word/numbering.xml': `<w:numbering xmlns:w="${main}"><w:abstractNum w:abstractNumId="0">${level}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`,
    },
  });
}

test('a list goes on counting on the next page', async () => {
  await open('rules.docx', await aNumberedDocx());
  await page.getByText('Neap').waitFor();
  expect(await page.locator('section.docx').count()).toBeGreaterThan(1);
  await picture(page, 'document-numbers', true);
  const client = await page.context().newCDPSession(page);
  const { nodes } = await client.send('Accessibility.getFullAXTree');
  const names = nodes.map(({ name }) => String(name?.value ?? '').trim());
  const rules = names.filter((name) => /^\d$/.test(name));
  expect([...new Set(rules)]).toEqual(['1', '2', '3', '4']);
});

test('a document without a size for its text has ten points', async () => {
  const bytes = await aDocx('The plain plan', {
    body: '<w:p><w:r><w:t>No size at all</w:t></w:r></w:p>',
    parts: {
      'word/styles.xml':
        '<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"/>',
    },
  });
  await open('plain.docx', bytes);
  const size =
    'getComputedStyle(document.querySelector("[data-stage]").shadowRoot.querySelector("section p span")).fontSize';
  await page.getByText('No size at all').waitFor();
  expect(Number.parseFloat(await page.evaluate<string>(size))).toBeCloseTo((10 * 96) / 72, 1);
});

test('formulas are shown in notes and comments as in the text', async () => {
  const names = [
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"',
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"',
  ].join(' ');
  const root = (of: string) =>
    `<w:p><m:oMath ${names}><m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/><m:e><m:r><m:t>${of}</m:t></m:r></m:e></m:rad></m:oMath></w:p>`;
  const marked = ['footnoteReference', 'endnoteReference', 'commentReference'].map(
    (name) => `<w:p><w:r><w:${name} w:id="1"/></w:r></w:p>`,
  );
  const bytes = await aDocx('The depths', {
    body: [root('text'), ...marked].join(''),
    relations: ['footnotes', 'endnotes', 'comments'].map((kind) => [kind, kind, `${kind}.xml`]),
    parts: {
      'word/footnotes.xml': `<w:footnotes ${names}><w:footnote w:id="1">${root('foot')}</w:footnote></w:footnotes>`,
      'word/endnotes.xml': `<w:endnotes ${names}><w:endnote w:id="1">${root('end')}</w:endnote></w:endnotes>`,
      'word/comments.xml': `<w:comments ${names}><w:comment w:id="1" w:author="Ada">${root('comment')}</w:comment></w:comments>`,
    },
  });
  await open('depths.docx', bytes);
  await page.getByText('The depths').waitFor();
  expect((await page.locator('msqrt').allTextContents()).toSorted()).toEqual([
    'comment',
    'end',
    'foot',
    'text',
  ]);
});

test('a PDF with a password asks for it, and opens', async () => {
  await open('plan.pdf', aLockedPdf('The secret plan', 'ebb tide'));
  const field = page.getByLabel('This document needs a password');
  await field.fill('flood tide');
  await field.press('Enter');
  await page.getByText('This password is wrong.').waitFor();
  await picture(page, 'pdf-password');
  await field.fill('ebb tide');
  await page.getByRole('button', { name: 'Open' }).click();
  await page.getByText('The secret plan').waitFor();
  expect(await field.isVisible()).toBe(false);
});

test('a film that cannot be played leaves no player, but a reason and a download', async () => {
  await open('harbour.avi', Buffer.from('RIFF    AVI '));
  await page.getByText('This browser cannot play this recording').waitFor();
  expect(await page.locator('video').isVisible()).toBe(false);
  expect(await page.locator('.poster').isVisible()).toBe(true);
  await page.getByRole('link', { name: 'Download' }).waitFor();
  await picture(page, 'media-unplayed');
});

test('comments stand beside the text, and charts and watermarks have their words', async () => {
  const w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
  const chart =
    '<w:p><w:r><w:drawing><wp:inline><wp:extent cx="914400" cy="609600"/><wp:docPr id="1" name="Chart 1"/><a:graphic><a:graphicData><c:chart xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" r:id="chart"/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>';
  const mark =
    '<w:p><w:r><w:pict><v:shape><v:textpath string="DRAFT"/></v:shape></w:pict></w:r></w:p>';
  const commented =
    '<w:p><w:commentRangeStart w:id="0"/><w:r><w:t>Nine metres are enough.</w:t></w:r><w:commentRangeEnd w:id="0"/><w:r><w:commentReference w:id="0"/></w:r></w:p>';
  await open(
    'letter.docx',
    await aDocx('Letter', {
      body: commented + chart + mark,
      relations: [
        ['notes', 'comments', 'comments.xml'],
        ['chart', 'chart', 'charts/chart1.xml'],
      ],
      parts: {
        'word/comments.xml': `<w:comments ${w}><w:comment w:id="0" w:author="Ada"><w:p><w:r><w:t>Are they? Ask the pilots.</w:t></w:r></w:p></w:comment></w:comments>`,
        'word/charts/chart1.xml':
          '<c:chart xmlns:c="c" xmlns:a="a"><c:title><a:p><a:t>Tides</a:t></a:p></c:title></c:chart>',
      },
    }),
  );
  const comment = page.getByText('Are they? Ask the pilots.');
  await comment.waitFor();
  await page.getByText('Ada', { exact: true }).waitFor();
  expect(await page.getByText(/Invalid Date|1970/).count()).toBe(0);
  await page.getByText('Chart: Tides').waitFor();
  await page.getByText('DRAFT').waitFor();
  const [beside, text] = await Promise.all([
    comment.boundingBox(),
    page.getByText('Nine metres are enough.').boundingBox(),
  ]);
  expect((beside?.x ?? 0) > (text?.x ?? 0)).toBe(true);
  await picture(page, 'document-comments');
});

test('a document with a password is opened in the browser', async () => {
  await open('plan.docx', aLockedOffice(await aDocx('The plan of the quay'), 'Hafen 7', 100_000));
  const field = page.getByLabel('This document needs a password');
  await field.fill('Hafen 8');
  await page.getByRole('button', { name: 'Open' }).click();
  await page.getByText('This password is wrong.').waitFor({ timeout: 60_000 });
  await picture(page, 'document-locked');
  await field.fill('Hafen 7');
  await field.press('Enter');
  await page.getByText('The plan of the quay').waitFor({ timeout: 60_000 });
  expect(await field.count()).toBe(0);
});

test('text that does not wrap stands around its place on a slide, and a sound plays from its picture', async () => {
  const deck = await JSZip.loadAsync(await aPptx('Tides'));
  const change = async (path: string, edit: (xml: string) => string) =>
    deck.file(path, edit((await deck.file(path)?.async('string')) ?? ''));
  const xfrm = (x: number, y: number, width: number) =>
    `<p:spPr><a:xfrm><a:off x="${x}" y="${y}"/><a:ext cx="${width}" cy="500000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr>`;
  const text = `<p:sp><p:nvSpPr><p:cNvPr id="20" name="a"/><p:cNvSpPr txBox="1"/><p:nvPr/></p:nvSpPr>${xfrm(5_500_000, 5_000_000, 1_192_000)}<p:txBody><a:bodyPr wrap="none"><a:spAutoFit/></a:bodyPr><a:p><a:pPr algn="ctr"/><a:r><a:rPr sz="2400"/><a:t>High water comes at ten, and goes at four</a:t></a:r></a:p></p:txBody></p:sp>`;
  const bell = `<p:pic><p:nvPicPr><p:cNvPr id="21" name="b"/><p:cNvPicPr/><p:nvPr><a:wavAudioFile r:embed="bell" name="bell.wav"/></p:nvPr></p:nvPicPr><p:blipFill><a:blip/></p:blipFill>${xfrm(500_000, 6_000_000, 500_000)}</p:pic>`;
  await change('ppt/slides/slide1.xml', (xml) =>
    xml.replace('</p:spTree>', `${text}${bell}</p:spTree>`),
  );
  await change('ppt/slides/_rels/slide1.xml.rels', (xml) =>
    xml.replace(
      '</Relationships>',
      '<Relationship Id="bell" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/audio" Target="../media/bell.wav"/></Relationships>',
    ),
  );
  deck.file('ppt/media/bell.wav', aWav(5));
  await open('tides.pptx', await deck.generateAsync({ type: 'nodebuffer' }));
  const line = page.getByText('High water comes at ten');
  await line.waitFor();
  const [words, slide] = await Promise.all([
    line.boundingBox(),
    page.locator('.slide').first().boundingBox(),
  ]);
  const middleOf = (box: typeof words) => (box?.x ?? 0) + (box?.width ?? 0) / 2;
  expect(words?.height).toBeLessThan(40);
  expect(words?.width).toBeGreaterThan(200);
  expect(Math.abs(middleOf(words) - middleOf(slide))).toBeLessThan(4);
  await page.getByRole('button', { name: 'Play the sound' }).click();
  await page.getByRole('button', { name: 'Pause the sound' }).click();
  await page.getByRole('button', { name: 'Play the sound' }).waitFor();
  await picture(page, 'slide-texts');
});

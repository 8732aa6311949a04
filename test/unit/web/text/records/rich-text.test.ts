import { expect, jest, test } from '@jest/globals';
import { withDigits } from '../../../../../web/text/records/rich-text-pictures.ts';
import { quickTextMarkup, textMarkup } from '../../../../../web/pages/viewers/text-markup.ts';
import { aPng } from '../../../../browser/support/sample-files.ts';

function pageOf(rtf: string, isWhole = true) {
  const bytes = Buffer.from(rtf);
  const { markup } = textMarkup({ path: 'a.rtf', type: 'document', bytes, isWhole });
  return {
    markup,
    words: markup
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  };
}

/** The `<img>` and the remarks of pictures in an RTF. */
const picturesOf = (rtf: string) =>
  pageOf(String.raw`{\rtf1 Before ${rtf} after}`).markup.match(/<img[^>]*>|A picture[^<]*/g);

/** A picture of Windows: one red point. */
const dib = Buffer.alloc(44);
dib.writeUInt32LE(40, 0);
dib.set([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 24], 4);
dib.set([0, 0, 255], 40);

/** A drawing of Windows with one record that stretches a bitmap. */
function aWmf(): Buffer {
  const record = Buffer.alloc(28 + dib.length);
  record.writeUInt32LE(record.length / 2, 0);
  record.writeUInt16LE(0x0f43, 4);
  dib.copy(record, 28);
  return Buffer.concat([Buffer.alloc(18), record, Buffer.from([3, 0, 0, 0, 0, 0])]);
}

const png = aPng(2, 2, [1, 2, 3]);
const hex = (bytes: Buffer) => bytes.toString('hex').replace(/(.{64})/g, '$1\n');
const asData = (type: string, bytes: Buffer) =>
  `data:image/${type};base64,${bytes.toString('base64')}`;
const bmp = Buffer.concat([Buffer.from([0x42, 0x4d, 58, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0]), dib]);
const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1]);

test.each([
  [
    'PNG',
    String.raw`{\pict{\*\picprop{\sp{\sn a}{\sv 1}}}\pngblip ${hex(png)}}`,
    asData('png', png),
  ],
  [
    'JPEG',
    String.raw`{\pict\jpegblip\bliptag-1{\*\blipuid 00ff} ${hex(jpeg)}}`,
    asData('jpeg', jpeg),
  ],
  ['DIB', String.raw`{\pict\dibitmap0 ${hex(dib)}}`, asData('bmp', bmp)],
  ['a bitmap in WMF', String.raw`{\pict\wmetafile8 ${hex(aWmf())}}`, asData('bmp', bmp)],
  [
    'a picture of Word',
    String.raw`{\*\shppict{\pict\pngblip ${hex(png)}}}{\nonshppict{\pict\wmetafile8 ${hex(aWmf())}}}`,
    asData('png', png),
  ],
  [
    'a picture of a shape',
    String.raw`{\shp{\*\shpinst{\sp{\sn pib}{\sv {\pict\pngblip ${hex(png)}}}}}{\shprslt{\pict\wmetafile8 00}}}`,
    asData('png', png),
  ],
  [
    'the look of an object',
    String.raw`{\object\objemb{\*\objclass X}{\*\objdata 00}{\result{\pict\pngblip ${hex(png)}}}}`,
    asData('png', png),
  ],
])('an RTF shows %s once', (_, rtf, source) => {
  expect(picturesOf(rtf)).toEqual([`<img src="${source}" alt="Picture">`]);
});

test('pictures of an RTF have their size on paper, and others say what they are', () => {
  expect(
    picturesOf(
      String.raw`{\pict\picwgoal1500\pichgoal300\picscalex50\picscaley100\pngblip ${hex(png)}}`,
    ),
  ).toEqual([expect.stringMatching(/ width="50" height="20">$/)]);
  expect(
    picturesOf(String.raw`{\pict\emfblip 0100}{\pict\wmetafile8 00}{\pict\macpict 00}`),
  ).toEqual([
    'A picture (EMF) is not shown here',
    'A picture (WMF) is not shown here',
    'A picture (another format) is not shown here',
  ]);
  const large = Buffer.concat([png, Buffer.alloc(2_500_000)]);
  expect(picturesOf(String.raw`{\pict\pngblip ${hex(large)}}{\pict\pngblip ${hex(png)}}`)).toEqual([
    'A picture (PNG) is too large to show here',
    `<img src="${asData('png', png)}" alt="Picture">`,
  ]);
  expect(picturesOf(String.raw`{\header{\pict\pngblip ${hex(png)}}}`)).toBeNull();
});

test('an RTF shows the words of text boxes, and its beginning where it is very long', () => {
  const box = String.raw`{\rtf1 One {\shp{\*\shpinst{\sp{\sn a}{\sv b}}{\shptxt two}}{\shprslt{\*\do{\dptxbxtext two}}}}{\*\do{\dptxbxtext three}}}`;
  expect(pageOf(box).words).toBe('One twothree');
  expect(pageOf(String.raw`{\rtf1 One {\b tw`, false).markup).toMatch(
    /^<p>One <strong>tw<\/strong><\/p><p class="hint">The rest/,
  );
});

test('of pictures in bytes without end, a thousand are read', () => {
  const left = withDigits(Buffer.from('\\bin0 '.repeat(3000)));
  expect(Buffer.from(left).toString().split('\\bin0').length - 1).toBe(2000);
});

test('words that only begin like pictures in bytes stay, and cost nothing', () => {
  const bytes = Buffer.from(`{\\rtf1 ${'\\bin '.repeat(100_000)}}`);
  expect(withDigits(bytes)).toBe(bytes);
});

test('while no time is left, the beginning of a text is read', () => {
  const words = 'Words of a long text. '.repeat(400_000);
  const bytes = Buffer.from(`{\\rtf1 ${words}}`);
  const read = jest.spyOn(TextDecoder.prototype, 'decode');
  const quick = quickTextMarkup({ path: 'a.rtf', type: 'document', bytes, isWhole: true }, 1000);
  const most = Math.max(...read.mock.calls.map(([input]) => input?.byteLength ?? 0));
  read.mockRestore();
  expect(most).toBeLessThanOrEqual(512 * 1024);
  expect(quick.markup).toContain('Words of a long text.');
  expect(quick.markup).toContain('The rest');
});

test('a picture in bytes is shown, whatever they are', () => {
  const bytes = Buffer.concat([
    Buffer.from(`{\\rtf1 Before {\\pict\\pngblip\\bin${png.length} `),
    png,
    Buffer.from('} after}'),
  ]);
  const { markup } = textMarkup({ path: 'a.rtf', type: 'document', bytes, isWhole: true });
  expect(markup).toContain(`Before <img src="${asData('png', png)}" alt="Picture"> after`);
});

const tableOf = (...rows: string[][]) =>
  `<div class="scroll" tabindex="0" role="group" aria-label="Table"><table><tbody>${rows
    .map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
    .join('')}</tbody></table></div>`;

test.each([
  [
    'Word',
    String.raw`\pard Before\par\trowd\trgaph108\cellx3000\cellx6000\pard\plain\intbl {One}\cell {\b Two}\cell\pard\intbl {\trowd\cellx3000\cellx6000\row}\pard\intbl Three\par more\cell\cell\pard\intbl\row\pard After\par`,
  ],
  [
    'pandoc',
    String.raw`{\pard Before\par}{\trowd\cellx4500\cellx9000{{\pard\intbl One\par}\cell}{{\pard\intbl {\b Two}\par}\cell}\intbl\row}{\trowd\cellx4500\cellx9000{{\pard\intbl Three\par more\par}\cell}{{\pard\intbl \par}\cell}\intbl\row}{\pard After\par}`,
  ],
  [
    'programs that say nothing of tables',
    String.raw`Before\par One\cell{\b Two}\cell\row\pard\intbl Three\par more\cell\cell\row\pard After`,
  ],
])('a table of an RTF as %s writes it is a table', (_, rtf) => {
  const table = tableOf(['One', '<strong>Two</strong>'], ['Three<br>more', '']);
  expect(pageOf(`{\\rtf1 ${rtf}}`).markup.replaceAll(/\n/g, '')).toBe(
    `<p>Before</p>${table}<p>After</p>`,
  );
});

test('a table within a cell of an RTF keeps its words, and one without an end its rows', () => {
  const rtf = String.raw`\intbl A\nestcell B\nestcell\nestrow\cell\row C\cell D`;
  expect(pageOf(`{\\rtf1 ${rtf}}`).words).toBe('A&emsp;B&emsp; C D');
});

test('cells without end leave no room for others', () => {
  expect(pageOf(`{\\rtf1 ${'\\cell'.repeat(200_000)}}`).markup.length).toBeLessThan(1_100_000);
});

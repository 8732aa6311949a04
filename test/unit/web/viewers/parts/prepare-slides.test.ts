import { expect, test } from '@jest/globals';
import { prepareSlides } from '../../../../../web/viewers/parts/prepare-slides.ts';

const slide = 'ppt/slides/slide1.xml';
const rel = (kind: string, target: string) =>
  `<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${kind}" Target="../${target}"/>`;
const striped = (colour: string) =>
  `<a:pattFill prst="wdUpDiag"><a:fgClr>${colour}</a:fgClr></a:pattFill>`;
const pattern = striped('<a:srgbClr val="17616D"/>');
const place = (ph: string, properties: string) =>
  `<p:sp><p:nvSpPr><p:nvPr><p:ph ${ph}/></p:nvPr></p:nvSpPr><p:spPr>${properties}</p:spPr></p:sp>`;
const outline = '<a:prstGeom prst="rect"/>';
const red = '<a:solidFill><a:srgbClr val="FF0000"/></a:solidFill>';

/** What becomes of a slide whose layout, master and theme have fills. */
async function prepared(xml: string): Promise<string> {
  const parts = Object.entries({
    [slide]: xml,
    'ppt/slides/_rels/slide1.xml.rels': rel('slideLayout', 'slideLayouts/slideLayout1.xml'),
    'ppt/slideLayouts/slideLayout1.xml': `<p:spTree>${place('type="body" idx="7"', `<a:xfrm/>${outline}${pattern}`)}${place('type="sldNum"', '')}</p:spTree>`,
    'ppt/slideLayouts/_rels/slideLayout1.xml.rels': rel(
      'slideMaster',
      'slideMasters/slideMaster1.xml',
    ),
    'ppt/slideMasters/slideMaster1.xml': place('type="title"', red),
    'ppt/slideMasters/_rels/slideMaster1.xml.rels': rel('theme', 'theme/theme1.xml'),
    'ppt/theme/theme1.xml': `<a:fillStyleLst><a:solidFill/>${striped('<a:schemeClr val="phClr"/>')}</a:fillStyleLst>`,
  });
  const [first] = await prepareSlides(
    parts.map(([path, text]) => ({ name: Buffer.from(path), path, bytes: Buffer.from(text) })),
  );
  return Buffer.from(first?.bytes ?? []).toString();
}

const grouped = (fill: string) =>
  `<p:grpSp><p:grpSpPr>${pattern}</p:grpSpPr><p:grpSp><p:grpSpPr><a:grpFill/></p:grpSpPr><p:sp><p:spPr>${outline}${fill}</p:spPr></p:sp></p:grpSp></p:grpSp>`;
const styled = (idx: number, fill = '') =>
  `<p:sp><p:spPr>${outline}${fill}</p:spPr><p:style><a:fillRef idx="${idx}"><a:schemeClr val="accent2"/></a:fillRef></p:style></p:sp>`;
const sound = (inside: string) => `<p:pic><p:nvPr>${inside}</p:nvPr></p:pic>`;

test.each([
  ['the pattern of a group', grouped('<a:grpFill/>'), grouped(pattern)],
  ['no pattern of a group for a fill of its own', grouped(red), grouped(red)],
  [
    'the pattern of a style in its colour',
    styled(2),
    styled(2, striped('<a:schemeClr val="accent2"/>')),
  ],
  ['no fill for a style without a pattern', styled(1), styled(1)],
  [
    'the pattern and outline of a placeholder',
    place('idx="7"', ''),
    place('idx="7"', outline + pattern),
  ],
  [
    'the fill that only the master has',
    place('type="title"', '<a:ln/>'),
    place('type="title"', `${red}<a:ln/>`),
  ],
  ['an empty placeholder that fills itself', place('idx="7"', red), place('idx="7"', red)],
  [
    'a placeholder that nobody fills',
    place('type="sldNum"', '<a:ln/>'),
    place('type="sldNum"', '<a:ln/>'),
  ],
  [
    'a text that does not wrap at its own size',
    '<a:bodyPr wrap="none"/><a:bodyPr lIns="0" wrap="none"><a:spAutoFit/><a:flatTx/></a:bodyPr><a:bodyPr/>',
    '<a:bodyPr wrap="none"><a:noAutofit/></a:bodyPr><a:bodyPr lIns="0" wrap="none"><a:flatTx/><a:noAutofit/></a:bodyPr><a:bodyPr/>',
  ],
  [
    'a sound of wave',
    sound('<a:wavAudioFile r:embed="rId4" name="bell.wav"/>'),
    sound('<a:audioFile r:link="rId4"/>'),
  ],
  [
    'a sound that is linked and embedded',
    sound('<a:audioFile r:link="rId4"></a:audioFile><p14:media r:embed="rId5"/>'),
    sound('<a:audioFile r:link="rId5"/><p14:media r:embed="rId5"/>'),
  ],
  [
    'a bullet that every device has',
    '<a:buFont typeface="Wingdings"/><a:buChar char="§"/>',
    '<a:buFont typeface="Arial"/><a:buChar char="▪"/>',
  ],
])('%s', async (_, xml, expected) => {
  expect(await prepared(xml)).toBe(expected.replaceAll('<p:spPr></p:spPr>', '<p:spPr/>'));
});

test('a part that needs nothing stays as it is', async () => {
  const bytes = Buffer.from('<p:sld/>');
  const part = { name: Buffer.from(slide), path: slide, bytes };
  expect((await prepareSlides([part]))[0]?.bytes).toBe(bytes);
});

test('drawings of Windows are boxes in their place, but for pictures in points', async () => {
  const drawing = (id: string) =>
    `<p:pic><p:blipFill><a:blip r:embed="${id}"/></p:blipFill><p:spPr><a:xfrm><a:off x="1" y="2"/></a:xfrm></p:spPr></p:pic>`;
  const bitmap = Buffer.alloc(16);
  bitmap.writeUInt32LE(1);
  bitmap.writeUInt32LE(8, 4);
  bitmap.writeUInt32LE(81, 8);
  const files = {
    [slide]: Buffer.from(['a', 'b', 'c', 'd', '.'].map(drawing).join('')),
    'ppt/slides/_rels/slide1.xml.rels': Buffer.from(
      ['a.wmf', 'b.emf', 'c.emf', 'd.png']
        .map((file) => `<Relationship Id="${file[0]}" Target="../media/${file}"/>`)
        .join(''),
    ),
    'ppt/media/b.emf': Buffer.from([1, 0, 0, 0, 0, 0, 0, 0, 14]),
    'ppt/media/c.emf': bitmap,
  };
  const [shown] = await prepareSlides(
    Object.entries(files).map(([path, bytes]) => ({ name: Buffer.from(path), path, bytes })),
  );
  const xml = new TextDecoder().decode(shown?.bytes);
  expect(xml.match(/<a:t>[^<]*|r:embed="."/g)).toEqual([
    '<a:t>Drawing (WMF)',
    '<a:t>Drawing (EMF)',
    'r:embed="c"',
    'r:embed="d"',
    // An id is no expression.
    'r:embed="."',
  ]);
  expect(xml).toContain('<a:xfrm><a:off x="1" y="2"/></a:xfrm><a:prstGeom prst="rect"/>');
});

test.each([
  ['placeholders', '<p:ph idx="1"/>', '<p:ph idx="9"/>'],
  ['placeholders of texts', '<p:ph idx="1"/>', '<a:p/>'],
  ['styles of tables', '<a:tblStyle/>', '<a:tbl/>'],
  ['drawings of diagrams', '<dsp:sp/>', '<p:graphicFrame/>'],
])('is refused where looking for its %s would take long', async (_, listed, looking) => {
  const of = (count: number) =>
    [
      ['ppt/slides/slide1.xml', `<p:sld>${looking.repeat(count)}</p:sld>`],
      ['ppt/any.bin', `<p:sld>${listed.repeat(count)}</p:sld>`],
    ].map(([path = '', text = '']) => ({
      name: Buffer.from(path),
      path,
      bytes: Buffer.from(text),
    }));
  await expect(prepareSlides(of(600))).rejects.toThrow('too many parts');
  await expect(prepareSlides(of(500))).resolves.toHaveLength(2);
});

test.each([
  ['texts', '<a:p/>', 20_000],
  ['fields', '<a:fld/>', 20_000],
  ['groups', '<p:grpSp/>', 20_000],
  ['points', '<a:lnTo/>', 100_000],
])('is refused where one slide has %s without end', async (_, xml, most) => {
  const slides = (count: number) =>
    ['ppt/slides/slide1.xml', 'ppt/slides/slide2.xml'].map((path) => ({
      name: Buffer.from(path),
      path,
      bytes: Buffer.from(`<p:sld>${xml.repeat(count)}</p:sld>`),
    }));
  await expect(prepareSlides(slides(most + 1))).rejects.toThrow('too many parts');
  await expect(prepareSlides(slides(most))).resolves.toHaveLength(2);
});

import { expect, test } from '@jest/globals';
import { readStyles, stylesOfSheet } from '../../../../../web/viewers/tables/cell-styles.ts';
import { formatNumber } from '../../../../../web/viewers/tables/number-format.ts';
import {
  drawingsOfOds,
  drawingsOfWorksheet,
  drawingWords,
} from '../../../../../web/viewers/tables/sheet-drawings.ts';

test.each([
  ['dd.mm.yyyy', 46_389.25, '02.01.2027'],
  ['[$-407]dd.mm.yyyy', 46_389, '02.01.2027'],
  ['TT.MM.JJJJ', 46_389, '02.01.2027'],
  ['dd.mm.yy;@', 46_389, '02.01.27'],
  ['dd.mm.yyyy hh:mm:ss', 46_389.25, '02.01.2027 06:00:00'],
  ['mmm–yy', 46_389, 'Jan–27'],
  ['hh:mm a.m./p.m.', 46_389.25, '06:00 AM'],
  ['m/d/yy', 46_389, '1/2/2027'],
  ['0.0 %', 0.125, '12.5 %'],
  ['0.0\\ %', 0.125, '12.5 %'],
  ['0.00 "%"', 0.5, '0.50 %'],
  ['₹#,##,##0', 1_234_567, '₹12,34,567'],
  ['[$₹-4009]#,##,##0.00', 1_234_567.5, '₹12,34,567.50'],
  ['#,##0 Kč', 46_389, '46,389 Kč'],
  ['#,##0.00 [$€-407];[Red]-#,##0.00 [$€-407]', -5, '-5.00 €'],
  ['£0', 7, '£7'],
  ['0°', 21, '21°'],
  ['0.00 m²', 3.456, '3.46 m²'],
  ['0.0 km', 12.34, '12.3 km'],
  ['"none"', 5, '5'],
  ['[h]:mm', 1.5, '36:00'],
])('the format %j shows %d as %j', (format, value, text) => {
  expect(formatNumber(value, format)).toBe(text);
});

test('days may count from 1904', () => expect(formatNumber(0, 'm/d/yy', true)).toBe('1/1/1904'));

const styles = readStyles(
  `<styleSheet><fonts><font/><font><b/><color theme="4" tint="0.5"/></font><font><i val="0"/><color rgb="FFB3361A"/></font></fonts><fills><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="solid"><fgColor indexed="13"/></patternFill></fill></fills><borders><border><left/></border><border><left style="thin"/></border></borders><cellXfs><xf/><xf fontId="1" fillId="1"/><xf fontId="2" borderId="1"><alignment horizontal="center"/></xf></cellXfs></styleSheet>`,
  `<a:theme><a:clrScheme><a:dk1><a:sysClr lastClr="000000"/></a:dk1><a:lt1><a:sysClr lastClr="FFFFFF"/></a:lt1><a:dk2><a:srgbClr val="1F497D"/></a:dk2><a:lt2><a:srgbClr val="EEECE1"/></a:lt2><a:accent1><a:srgbClr val="4F81BD"/></a:accent1></a:clrScheme></a:theme>`,
);

test('cells have the weight, colours and borders of their styles', () => {
  expect(styles).toEqual([
    undefined,
    { isBold: true, color: '#a7c0de', fill: '#ffff00' },
    { color: '#b3361a', hasBorder: true, align: 'center' },
  ]);
  const xml =
    '<sheetData><row r="2"><c r="B2" s="1"><v>1</v></c><c r="AA2" s="2"/><c r="C2" s="0"/></row></sheetData>';
  const looks = stylesOfSheet(xml, styles);
  expect(looks?.cells[1]?.[1]).toBe(1);
  expect(looks?.cells[1]?.[26]).toBe(2);
  expect(looks?.cells[1]?.[2]).toBeUndefined();
  expect(stylesOfSheet('<c r="A1" s="0"/>', styles)).toBeUndefined();
});

test('charts and pictures are counted', () => {
  const files: Record<string, string> = {
    'xl/worksheets/_rels/sheet1.xml.rels':
      '<Relationships><Relationship Id="a" Target="../drawings/drawing1.xml"/></Relationships>',
    'xl/drawings/drawing1.xml':
      '<xdr:wsDr><xdr:pic></xdr:pic><xdr:pic></xdr:pic><c:chart r:id="x"/></xdr:wsDr>',
  };
  const drawings = drawingsOfWorksheet('xl/worksheets/sheet1.xml', (path) => files[path] ?? '');
  expect(drawingWords(drawings)).toBe('a chart and 2 pictures');
  expect(drawingWords({ pictures: 0, charts: 3 })).toBe('3 charts');
  const table = '<table:table table:name="A"><draw:frame><draw:image/></draw:frame></table:table>';
  expect(drawingsOfOds(`<a>${table}<table:table table:name="B"/></a>`)).toEqual([
    { pictures: 1, charts: 0 },
    { pictures: 0, charts: 0 },
  ]);
});

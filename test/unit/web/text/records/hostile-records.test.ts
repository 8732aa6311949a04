import { deflateRawSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { mailMarkup } from '../../../../../web/text/records/mail-markup.ts';
import { textMarkup } from '../../../../../web/pages/viewers/text-markup.ts';

function many(count: number, text: (index: number) => string, between: string): string {
  return Array.from({ length: count }, (_, index) => text(index)).join(between);
}

const sharedArcs = JSON.stringify({
  type: 'Topology',
  arcs: [Array.from({ length: 20_000 }, () => [1, 1])],
  objects: {
    a: {
      type: 'GeometryCollection',
      geometries: Array.from({ length: 1000 }, () => ({ type: 'LineString', arcs: [0, 0, 0] })),
    },
  },
});

const words = (count: number) => many(count, () => '=?unknown?b?6Q?=', ' ');
const attachment = `--B\nContent-Disposition: attachment; filename="${words(100)}"\n\nx\n`;
const nested = (of: string) => `--A\nContent-Type: multipart/mixed; boundary=B\n\n${of}`;
const mail = (type: string) => `From: a\nTo: ${words(20_000)}\nContent-Type: ${type}\n\n`;

const block = (at: number) =>
  `0\nBLOCK\n2\nB${at}\n${many(40, () => `0\nINSERT\n2\nB${at + 1}`, '\n')}\n0\nLINE\n11\n1\n0\nENDBLK\n`;
const repeated = `0\nSECTION\n2\nBLOCKS\n${many(8, block, '')}0\nENDSEC\n0\nSECTION\n2\nENTITIES\n0\nINSERT\n2\nB0\n0\nENDSEC\n0\nEOF\n`;
const bulges = many(3000, (at) => `10\n${at}\n20\n1\n42\n9\n`, '');
const manyTimes = (entity: string) =>
  `0\nSECTION\n2\nBLOCKS\n0\nBLOCK\n2\nB\n${entity}0\nENDBLK\n0\nENDSEC\n0\nSECTION\n2\nENTITIES\n${'0\nINSERT\n2\nB\n'.repeat(40_000)}0\nENDSEC\n0\nEOF\n`;
const named = (at: number) =>
  `<mxCell id="e${at}" edge="1" source="l${at + 1}" target="l${at + 1}"/><mxCell id="l${at}" vertex="1" parent="e${at}" value="x"><mxGeometry relative="1"/></mxCell>`;
const element = '{"type":"ellipse","width":1,"height":1}';

/** Each has less than 2 MB, and its page is set at each view where it is one of several files. */
const files: readonly [what: string, path: string, text: string][] = [
  ['lines of JSON with a name each', 'a.jsonl', many(20_000, (at) => `{"k${at}":1}`, '\n')],
  ['lines of a map that share one arc', 'a.topojson', sharedArcs],
  ['blocks that repeat each other', 'a.dxf', repeated],
  ['a line of many points in a block', 'a.dxf', manyTimes(`0\nLWPOLYLINE\n${bulges}`)],
  ['a long text in a block', 'a.dxf', manyTimes(`0\nMTEXT\n1\n${'a\\P'.repeat(100_000)}\n`)],
  [
    'arrows between their own names',
    'a.drawio',
    `<mxGraphModel>${many(5000, named, '')}</mxGraphModel>`,
  ],
  [
    'a page that unpacks',
    'a.drawio',
    `<mxfile><diagram>${deflateRawSync(Buffer.alloc(64 * 1024 * 1024)).toString('base64')}</diagram></mxfile>`,
  ],
  ['shapes without end', 'a.excalidraw', `{"elements":[${many(40_000, () => element, ',')}]}`],
  [
    'notes behind the fence of a diagram',
    'a.mmd',
    `graph TD\n${'~'.repeat(50)}\n${many(23_000, (at) => `[^${at}]: b [^${at + 1}]`, '\n\n')}`,
  ],
  ['empty lines of a graph', 'a.dot', `graph${'\n'.repeat(199_000)}`],
  ['comments of a graph that never end', 'a.dot', `graph{${'/*'.repeat(99_000)}`],
  ['texts of a graph that never end', 'a.gv', `graph{${String.raw`"\"`.repeat(60_000)}`],
  ['edges of all to all', 'a.gv', `digraph{{${'a '.repeat(49_000)}}->{${'a '.repeat(49_000)}}}`],
  ['groups of a graph', 'a.gv', `digraph{${'subgraph cluster{label=a}'.repeat(7900)}}`],
  ['a header of encoded words', 'a.eml', mail('text/plain')],
  [
    'attachments within attachments',
    'a.eml',
    mail('multipart/mixed; boundary=A') + many(5, () => nested(attachment.repeat(199)), '\n'),
  ],
  ['a box of mails', 'a.mbox', many(40_000, (at) => `From a 2026\nFrom: a\nTo: ${at}\n\n`, '')],
  [
    'lines that flow',
    'a.eml',
    `From: a\nTo: b\nContent-Type: text/plain; format=flowed\n\n${' \n'.repeat(900_000)}`,
  ],
  [
    'pictures of a mail that do not end',
    'a.eml',
    `${mail('text/html')}${'<img alt '.repeat(100_000)}`,
  ],
  [
    'lines of letters in bytes',
    'a.vcs',
    `BEGIN:VCALENDAR\n${'A;QUOTED-PRINTABLE:=\n'.repeat(90_000)}`,
  ],
  [
    'days of a rule',
    'a.ics',
    `BEGIN:VCALENDAR\nBEGIN:VEVENT\nRRULE:FREQ=DAILY;BYDAY=${'MO,'.repeat(500_000)}MO\nEND:VEVENT\nEND:VCALENDAR`,
  ],
  [
    'bars of progress',
    'a.ipynb',
    JSON.stringify({
      cells: [
        { cell_type: 'code', outputs: [{ output_type: 'stream', text: '\r'.repeat(700_000) }] },
      ],
    }),
  ],
  [
    'brackets of formulas',
    'a.ipynb',
    JSON.stringify({ cells: [{ cell_type: 'markdown', source: '\\\\('.repeat(200_000) }] }),
  ],
  [
    'exceptions of an event',
    'a.ics',
    `BEGIN:VCALENDAR\nBEGIN:VEVENT\nEXDATE:${many(99_999, () => '20260101', ',')}\nEND:VEVENT\nEND:VCALENDAR`,
  ],
];

test.each(files)('%s take less than three seconds', (_, path, text) => {
  expect(text.length).toBeLessThan(2 * 1024 * 1024);
  const begun = process.cpuUsage();
  textMarkup({ path, type: 'code', bytes: Buffer.from(text), isWhole: true });
  const { user, system } = process.cpuUsage(begun);
  expect((user + system) / 1e6).toBeLessThan(3);
});

const begins = String.raw`\\[a`.repeat(200_000);
test.each([
  [
    'formulas that only begin',
    'a.ipynb',
    JSON.stringify({ nbformat: 4, cells: [{ cell_type: 'markdown', source: begins }] }),
  ],
  [
    'a line that seems to be coded for mails',
    'a.ics',
    `BEGIN:VCALENDAR\nBEGIN:VEVENT\n${'QUOTED-PRINTABLE'.repeat(120_000)}`,
  ],
])('%s are looked through once', (_, path, text) => {
  const begun = process.cpuUsage();
  textMarkup({ path, type: 'code', bytes: Buffer.from(text), isWhole: true });
  const { user, system } = process.cpuUsage(begun);
  expect((user + system) / 1e6).toBeLessThan(1.5);
});

test('a mail of many long texts is a page that a function can answer with', () => {
  const part = `--B\nContent-Type: text/html\n\n${'<b>x'.repeat(8000)}\n`;
  const text = `From: a\nTo: b\nContent-Type: multipart/mixed; boundary=B\n\n${part.repeat(190)}`;
  // Without the time that a view has: how much it is does not depend on the machine.
  const markup = mailMarkup(text) ?? '';
  expect(markup).toMatch(/^<h1>Mail/);
  expect(Buffer.byteLength(markup)).toBeLessThan(3_000_000);
});

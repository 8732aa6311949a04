import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { dotDiagram } from '../../../web/text/records/dot-diagram.ts';
import { dxfMarkup } from '../../../web/text/records/dxf-markup.ts';
import { richTextMarkup } from '../../../web/text/records/rich-text-markup.ts';
import { beginningOf } from '../../../web/viewers/parts/first-pages.ts';
import { prepareSlides } from '../../../web/viewers/parts/prepare-slides.ts';
import { repairMaterials } from '../../../web/viewers/parts/repair-materials.ts';
import { safeFileName } from '../../../web/viewers/parts/safe-file-name.ts';
import { withMappedSlideSymbols } from '../../../web/viewers/parts/slide-symbols.ts';
import * as fonts from '../../../web/viewers/parts/symbol-fonts.ts';
import { parseXml } from '../../../web/viewers/parts/xml-tree.ts';

/** Runs on over the starts of other tags, so that a text of many starts without an end takes the square of its length. */
const runsOn = /<[^/]+\[\^>?\][*+]/;

const sourcesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => path.join(folder, file));

test('no expression that looks for a tag of a visitor’s file runs on over the starts of other tags', () => {
  const found = ['web/viewers', 'web/text'].flatMap(sourcesIn).flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => runsOn.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});

const part = (path: string, text: string) => ({
  name: Buffer.from(path),
  path,
  bytes: new Uint8Array(Buffer.from(text)),
});

/** What is done with a text, the text of a size, and a size for which its square takes long. */
const hostile: [
  name: string,
  work: (text: string) => unknown,
  make: (size: number) => string,
  size: number,
][] = [
  [
    'zeros of a colour',
    (line) => repairMaterials(`map_Kd a\n${line}`),
    (size) => `Kd${'\t'.repeat(size)}x`,
    60,
  ],
  ['folders of a picture', repairMaterials, (size) => `bump ${'/a'.repeat(size)}/`, 4000],
  [
    'runs',
    (text) => withMappedSlideSymbols(part('a.xml', text), fonts),
    (size) => '<a:r>'.repeat(size),
    8000,
  ],
  [
    'a folder of a layout',
    (target) =>
      prepareSlides([
        part('ppt/slides/a.xml', ''),
        part(
          'ppt/slides/_rels/a.xml.rels',
          `<Relationship Type="x/slideLayout" Target="../${target}/"/>`,
        ),
      ]),
    (size) => 'a'.repeat(size),
    10_000,
  ],
  ['quotes of a tag', parseXml, (size) => `<a ${'""'.repeat(size)}>`, 60_000],
  [
    'a long name of a tag',
    (name) => beginningOf(`<w:body><${name}`),
    (size) => '0'.repeat(size),
    10_000,
  ],
  ['spaces in a name', safeFileName, (size) => `a${' '.repeat(size)}b`, 10_000],
  ['lines of a drawing', dxfMarkup, (size) => `0${'\n'.repeat(size)}`, 10_000],
  [
    'lines of a label',
    dotDiagram,
    (size) => `digraph { a [label="${'\\n'.repeat(size)}b"] }`,
    6000,
  ],
  [
    'lines of a cell',
    (lines) => richTextMarkup(`{\\rtf1\\trowd ${lines}x\\cell\\row}`, true, () => true),
    (size) => '\\line '.repeat(size),
    3000,
  ],
];

test.each(hostile)(
  'four times as many %s take no more than some four times as long',
  async (_, work, make, size) => {
    const shortest = async (text: string) => {
      const times: number[] = [];
      for (let run = 0; run < 3; run += 1) {
        const start = performance.now();
        await work(text);
        times.push(performance.now() - start);
      }
      return Math.min(...times);
    };
    await work(make(10));
    const once = await shortest(make(size));
    // On a busy machine what takes a moment tells nothing.
    expect(await shortest(make(4 * size))).toBeLessThan(10 * once + 200);
  },
);

import { type BookType, utils, write } from '@e965/xlsx';
import PptxGenJs from 'pptxgenjs';
import { aDocx, aDrawing } from '../fixtures/visits/sample-documents.ts';
import { aMeshGlb } from '../fixtures/visits/sample-models.ts';
import { aDocumentOf } from '../fixtures/visits/sample-pdfs.ts';
import { aNoisyPng, aPng, zipOf } from '../browser/support/sample-files.ts';

/** A file that its viewer has much to do for. */
export interface HeavyFile {
  /** For the table. */
  title: string;
  name: string;
  make: () => Buffer | Promise<Buffer>;
  /** In the page: true as soon as a visitor sees something of the content. */
  seen: string;
  /** In the page: true when nothing more comes by itself. */
  whole?: string;
  /** Published as an archive that is unpacked, and not as a file. */
  isArchive?: true;
}

const within = (selector: string) => `document.querySelector('${selector}') !== null`;
const inShadow = (selector: string) =>
  `document.querySelector('[data-stage]')?.shadowRoot?.querySelector('${selector}') != null`;
const allRows = `[...document.querySelectorAll('[role=status]')].some((status) => /^[\\d,]+ rows\\.$/.test(status.textContent))`;

const words = 'The harbour master reads the tide at the north quay and writes it down';
const sentence = (number: number) =>
  `${words}, for the ${number}th time, before ${number % 24}:40.`;

const cellsOf = (rows: number) =>
  Array.from({ length: rows }, (_, row) => [
    row,
    `quay ${(row * 7919) % rows}`,
    ...Array.from({ length: 8 }, (_, column) => (row * (column + 3)) % 977),
  ]);

function aBook(bookType: BookType): Buffer {
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.aoa_to_sheet(cellsOf(15_000)), 'Quays');
  return write(book, { type: 'buffer', bookType, compression: true });
}

function aCsv(rows: number): Buffer {
  const lines = cellsOf(rows).map((cells) => cells.join(','));
  return Buffer.from(`id,name,a,b,c,d,e,f,g,h\n${lines.join('\n')}\n`);
}

const aList = (length: number, entry: (number: number) => string) =>
  Array.from({ length }, (_, index) => entry(index + 1)).join('\n');

/** A chapter of 2.2 kB, with what people write most. */
const aChapter = (number: number) =>
  `## Tide ${number}\n\n${aList(6, (line) => `${sentence(number)} **Slowly**, \`tide(${line})\` and [further](#tide-${line}).\n`)}\n${aList(5, (line) => `- berth ${line} of *${number}*`)}\n\n| Quay | Metres |\n| --- | --- |\n${aList(4, (line) => `| quay ${line} | ${number * line} |`)}\n\n\`\`\`js\n${aList(4, (line) => `const berth${line} = tide(${number}, 'quay ${line}');`)}\n\`\`\`\n`;

function aNotebook(): Buffer {
  const cells = Array.from({ length: 280 }, (_, number) => [
    { cell_type: 'markdown', source: [`## Tide ${number}\n`, sentence(number)] },
    {
      cell_type: 'code',
      source: aList(12, (line) => `tide_${line} = read(${number}, quay="north ${line}")`),
      outputs: [
        { output_type: 'stream', text: aList(60, (line) => `${line}: ${sentence(number)}`) },
        {
          output_type: 'display_data',
          data: { 'image/png': aNoisyPng(74, 74, number).toString('base64') },
        },
      ],
    },
  ]).flat();
  return Buffer.from(JSON.stringify({ nbformat: 4, metadata: {}, cells }));
}

/** Text of some 400 pages, and pictures of 11 MB. */
function aLongLetter(): Promise<Buffer> {
  const pictures = Array.from({ length: 40 }, (_, number) => `picture${number}`);
  const paragraph = (number: number) =>
    `<w:p><w:r><w:t xml:space="preserve">${sentence(number)} </w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>${words}.</w:t></w:r></w:p>`;
  const body = Array.from({ length: 8000 }, (_, number) => {
    const picture = number % 200 === 199 ? aDrawing(`picture${Math.floor(number / 200)}`) : '';
    const pageEnd = number % 20 === 19 ? '<w:p><w:r><w:br w:type="page"/></w:r></w:p>' : '';
    return paragraph(number) + picture + pageEnd;
  });
  return aDocx('A long letter', {
    body: body.join(''),
    parts: Object.fromEntries(
      pictures.map((name, index) => [`word/media/${name}.png`, aNoisyPng(310, 310, index)]),
    ),
    relations: pictures.map((name) => [name, 'image', `media/${name}.png`]),
  });
}

async function aLongDeck(): Promise<Buffer> {
  // Its default export is the class itself, or holds it, by how it is loaded.
  const Deck = (PptxGenJs as any).default ?? PptxGenJs;
  const deck = new Deck();
  deck.layout = 'LAYOUT_WIDE';
  for (let number = 1; number <= 300; number += 1) {
    const slide = deck.addSlide();
    slide.addText(`Tide ${number}`, { x: 0.6, y: 0.4, w: 12, h: 0.9, fontSize: 36 });
    slide.addText(aList(8, sentence), { x: 0.6, y: 1.5, w: 6, h: 5, fontSize: 14 });
    const rows = Array.from({ length: 12 }, (_, row) => [`Quay ${row}`, `${row * number}`]);
    slide.addTable(
      rows.map((row) => row.map((text) => ({ text }))),
      { x: 7, y: 1.5, w: 5, fontSize: 12 },
    );
  }
  return deck.write({ outputType: 'nodebuffer' });
}

const aLongPdf = () =>
  aDocumentOf(
    Array.from({ length: 600 }, (_, page) => ({
      lines: Array.from({ length: 16 }, (_, line) => `Page ${page + 1}, line ${line}: the tide`),
    })),
    {
      outline: Array.from({ length: 60 }, (_, at) => ({ title: `Tide ${at}`, page: at * 10 + 1 })),
    },
  );

const manyEntries = () =>
  zipOf(
    Object.fromEntries(
      Array.from({ length: 2000 }, (_, number) => [`quay ${number}.txt`, sentence(number)]),
    ),
  );

const table = { seen: within('tbody td'), whole: allRows };

/** What people publish at the upper end of what the viewers show. */
export const heavyFiles: readonly HeavyFile[] = [
  { title: 'xlsx, 150,000 cells', name: 'quays.xlsx', make: () => aBook('xlsx'), ...table },
  { title: 'ods, 150,000 cells', name: 'quays.ods', make: () => aBook('ods'), ...table },
  { title: 'CSV, 150,000 cells', name: 'quays.csv', make: () => aCsv(15_000), ...table },
  { title: 'CSV, 1,000,000 cells', name: 'all-quays.csv', make: () => aCsv(100_000), ...table },
  {
    title: 'Code, 50,000 lines',
    name: 'harbour.js',
    make: () => Buffer.from(aList(50_000, (line) => `tide(${line}, 'quay ${line % 977}');`)),
    seen: within('.listing code'),
  },
  {
    title: 'Code, 12,000 lines in colours',
    name: 'quays.js',
    make: () => Buffer.from(aList(12_000, (line) => `tide(${line}, 'quay ${line % 977}');`)),
    seen: within('.listing code'),
  },
  {
    title: 'Markdown, 500 kB, set',
    name: 'tides.md',
    make: () => Buffer.from(`# Tides\n\n${aList(390, aChapter)}`),
    seen: within('.prose h2'),
  },
  {
    title: 'Markdown, 2 MB, its source',
    name: 'all-tides.md',
    make: () => Buffer.from(`# Tides\n\n${aList(1600, aChapter)}`),
    seen: within('.listing code'),
  },
  {
    title: 'Notebook, 8 MB',
    name: 'tides.ipynb',
    make: aNotebook,
    seen: within('.prose h2'),
  },
  { title: 'docx, 12 MB', name: 'letter.docx', make: aLongLetter, seen: inShadow('section') },
  { title: 'PDF, 600 pages', name: 'book.pdf', make: aLongPdf, seen: within('.leaf canvas') },
  {
    title: 'pptx, 300 slides',
    name: 'plan.pptx',
    make: aLongDeck,
    seen: inShadow('.slide > *'),
  },
  {
    title: 'glTF, 20 MB',
    name: 'seabed.glb',
    make: () => aMeshGlb(650),
    seen: within('canvas[aria-label^="3D model"]'),
  },
  {
    title: 'PNG, 48 megapixels',
    name: 'map.png',
    make: () => aPng(8000, 6000, [23, 97, 109]),
    seen: `document.querySelector('.picture img')?.complete === true`,
  },
  {
    title: 'ZIP, 2,000 entries',
    name: 'quays.zip',
    make: manyEntries,
    isArchive: true,
    seen: within('main li, main tr'),
  },
];

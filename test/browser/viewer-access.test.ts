import { extname } from 'node:path';
import { describe, expect, jest, test } from '@jest/globals';
import { utils, write } from '@e965/xlsx';
import type { Page } from 'playwright-core';
import { aDocx, aPptx } from '../fixtures/visits/sample-documents.ts';
import { anEpub, anOpenDocument } from '../fixtures/visits/sample-readings.ts';
import { aGlb } from '../fixtures/visits/sample-models.ts';
import { aDocumentOf } from '../fixtures/visits/sample-pdfs.ts';
import { aPng, aWav } from './support/sample-files.ts';
import { seriousFindings } from './support/dashboard.ts';
import { useViewerStand } from './support/use-viewer-stand.ts';

jest.setTimeout(300_000);

const viewers = useViewerStand();
const words = 'Tide at the north quay';

type Heard = [role: string, name: RegExp];

interface Shown {
  name: string;
  make: () => Buffer | Promise<Buffer>;
  /** What somebody hears of the file itself, in this order: role and name. */
  heard: Heard[];
  /** What the Tab key reaches, in this order. */
  reached: string[];
}

const book = utils.book_new();
utils.book_append_sheet(book, utils.aoa_to_sheet([['Where'], [words]]), 'Tides');
utils.book_append_sheet(book, utils.aoa_to_sheet([['Ship']]), 'Ships');

const plot = aPng(40, 30, [179, 54, 26]).toString('base64');

const content: Heard = ['StaticText', /north quay/];

const files: Shown[] = [
  {
    name: 'tide.py',
    make: () => Buffer.from(`# ${words}\nprint(1)\n`),
    heard: [
      ['group', /^Code$/],
      ['button', /^Copy$/],
      ['textbox', /^Line$/],
      ['region', /^tide\.py$/],
      content,
    ],
    reached: ['Copy', 'Wrap lines', 'Line', 'tide.py'],
  },
  {
    name: 'rules.md',
    make: () =>
      Buffer.from(
        `# Rules\n\n${words}, [more](/more)\n\n## Fees\n\n| Quay |\n| --- |\n| North |\n\n- [x] paid\n`,
      ),
    heard: [
      ['article', /^/],
      ['heading', /^Rules$/],
      content,
      ['link', /^more$/],
      ['heading', /^Fees$/],
      ['table', /^/],
      ['columnheader', /^Quay$/],
      ['cell', /^North$/],
      ['checkbox', /^Done$/],
    ],
    reached: ['more', 'Table', 'Show the source'],
  },
  {
    name: 'tides.ipynb',
    make: () =>
      Buffer.from(
        JSON.stringify({
          nbformat: 4,
          metadata: {},
          cells: [
            { cell_type: 'markdown', source: `# Tides\n\n${words}, [more](/more)` },
            {
              cell_type: 'code',
              source: 'plot()',
              outputs: [
                { output_type: 'display_data', data: { 'image/png': plot } },
                { output_type: 'stream', text: 'done\n'.repeat(100) },
              ],
            },
          ],
        }),
      ),
    heard: [
      ['article', /^/],
      ['heading', /^Tides$/],
      content,
      ['link', /^more$/],
      ['image', /^Output$/],
    ],
    reached: ['more', 'Show the source'],
  },
  {
    name: 'ships.csv',
    make: () => Buffer.from(`Where,When\n${words},9\n`),
    heard: [
      ['group', /^Table$/],
      ['searchbox', /^Search$/],
      ['region', /^Table$/],
      ['columnheader', /^Where$/],
      ['cell', /north quay/],
      ['status', /^/],
    ],
    reached: ['Search', 'Copy as text', 'Table', 'Sort by Where', 'Sort by When'],
  },
  {
    name: 'ships.xlsx',
    make: () => write(book, { type: 'buffer', bookType: 'xlsx' }),
    heard: [
      ['group', /^Sheets$/],
      ['button', /^Tides$/],
      ['region', /^Sheet Tides$/],
      ['columnheader', /^A$/],
      ['rowheader', /^2$/],
      ['cell', /north quay/],
    ],
    reached: ['Search', 'Copy as text', 'Tides', 'Ships', 'Sheet Tides', 'Sort by A'],
  },
  {
    name: 'plan.pdf',
    make: () => aDocumentOf([{ lines: [words] }]),
    heard: [
      ['group', /^Pages and zoom$/],
      ['textbox', /^Page/],
      ['region', /^Document$/],
      ['region', /^Page 1$/],
      content,
    ],
    reached: ['Page / 1', 'Next page', 'Zoom in', 'Find', 'Print', 'Document'],
  },
  {
    name: 'letter.docx',
    make: () => aDocx(words),
    heard: [['article', /^/], content, ['link', /^The plan$/], ['table', /^/], ['cell', /^Quay$/]],
    reached: ['The plan'],
  },
  {
    name: 'letter.odt',
    make: () =>
      anOpenDocument(
        'text',
        `<text:h text:outline-level="1">Tides</text:h><text:p>${words}, <text:a xlink:href="https://plan.example/">the plan</text:a></text:p><text:list><text:list-item><text:p>Oars</text:p></text:list-item></text:list><table:table><table:table-row><table:table-cell><text:p>Quay</text:p></table:table-cell></table:table-row></table:table>`,
      ),
    heard: [
      ['article', /^/],
      ['heading', /^Tides$/],
      content,
      ['link', /^the plan$/],
      ['listitem', /^/],
      ['table', /^/],
      ['cell', /^Quay$/],
    ],
    reached: ['the plan', 'Table'],
  },
  {
    name: 'book.epub',
    make: () =>
      anEpub({ Dawn: `<h1>Dawn</h1><p>${words}</p>`, Noon: '<p>x</p>', Night: '<p>y</p>' }),
    heard: [
      ['heading', /^The book$/],
      ['region', /^Dawn$/],
      ['heading', /^Dawn$/],
      content,
      ['region', /^Noon$/],
    ],
    reached: ['Contents'],
  },
  {
    name: 'plan.pptx',
    make: () => aPptx(words),
    heard: [
      ['group', /^Slides$/],
      ['button', /^Next slide$/],
      ['listitem', /^Slide 1 of 3$/],
      content,
      ['listitem', /^Slide 2 of 3$/],
    ],
    reached: ['Next slide', 'Full screen'],
  },
  {
    name: 'hull.png',
    make: () => aPng(640, 480, [179, 54, 26]),
    heard: [
      ['group', /^Zoom$/],
      ['button', /^Zoom in$/],
      ['region', /^Picture$/],
      ['image', /^hull\.png$/],
    ],
    reached: ['Zoom out', 'Zoom in', 'Fit', 'Picture'],
  },
  {
    name: 'bell.wav',
    make: () => aWav(1),
    heard: [
      ['Audio', /^bell\.wav$/],
      ['button', /^play$/],
    ],
    reached: ['bell.wav'],
  },
  {
    name: 'cube.glb',
    make: () => aGlb(),
    heard: [
      ['group', /^View$/],
      ['button', /^Reset view$/],
      ['image', /^3D model cube\.glb\. Use the arrow keys/],
    ],
    reached: [
      'Zoom out',
      'Zoom in',
      'Reset view',
      'Wireframe',
      '3D model cube.glb. Use the arrow keys to rotate it, plus and minus to zoom, and 0 to reset the view.',
    ],
  },
  {
    name: 'thing.xcf',
    make: () => Buffer.from([0, 1]),
    heard: [
      ['term', /^/],
      ['link', /^Download$/],
    ],
    reached: ['Download'],
  },
];

/** What is there once a file is shown. */
const ready: Record<string, string> = {
  '.py': '[data-copy]:visible',
  '.csv': 'tbody td',
  '.xlsx': 'tbody td',
  '.pdf': ':text("north quay")',
  '.docx': 'article p',
  '.odt': 'article p',
  '.epub': 'article p',
  '.pptx': '[aria-label=Chart]',
  '.glb': 'canvas[aria-label]',
};

interface Node {
  role: string;
  name: string;
}

/** What a screen reader has of a page, in its order. */
async function treeOf(page: Page): Promise<Node[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const heard: Node[] = [];
  const visit = (id: string) => {
    const node = byId.get(id);
    if (node === undefined) return;
    if (!node.ignored) {
      heard.push({ role: String(node.role?.value), name: String(node.name?.value ?? '') });
    }
    for (const child of node.childIds ?? []) visit(child);
  };
  for (const { nodeId, parentId } of nodes) if (parentId === undefined) visit(nodeId);
  return heard;
}

/** Names of what Tab reaches, until it leaves the page. */
async function tabbed(page: Page): Promise<string[]> {
  const names: string[] = [];
  for (let press = 0; press < 60; press += 1) {
    await page.keyboard.press('Tab');
    const name = await page.evaluate<string | null>(`(() => {
      let at = document.activeElement;
      while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
      if (at === null || at === document.body) return null;
      const { width, height } = at.getBoundingClientRect();
      if (width === 0 || height === 0) return 'INVISIBLE ' + at.outerHTML.slice(0, 100);
      return at.getAttribute('aria-label') || at.title || (at.labels?.[0] ?? at).textContent.trim() || at.tagName;
    })()`);
    if (name === null) return names;
    names.push(name);
  }
  return [...names, 'NO END'];
}

/** Roles that say nothing without a name. */
const needNames =
  /^(?:button|link|textbox|searchbox|checkbox|slider|image|region|group|Audio|Video|Canvas|Iframe)$/;

/** What is missing in `all`, or not in the order of `wanted`. */
function firstMissing<T, W>(
  all: readonly T[],
  wanted: readonly W[],
  isIt: (one: T, want: W) => boolean,
) {
  let at = -1;
  return wanted.find((want) => {
    at = all.findIndex((one, place) => place > at && isIt(one, want));
    return at === -1;
  });
}

describe.each(files)('$name', ({ name, make, heard, reached }) => {
  test('is heard with landmarks, names and content in their order, and needs no mouse', async () => {
    const page = await viewers.samePage({ width: 1000, height: 700 });
    await page.goto(viewers.stand.show(name, await make()));
    await page
      .locator(ready[extname(name)] ?? 'main')
      .first()
      .waitFor();
    const tree = await treeOf(page);
    const isHeard = (node: Node, [role, says]: Heard) => node.role === role && says.test(node.name);
    const frame: Heard[] = [['heading', new RegExp(`^${name}$`)], ...heard, ['contentinfo', /^/]];
    expect(firstMissing(tree, frame, isHeard)).toBeUndefined();
    expect(tree.filter(({ role }) => role === 'main')).toHaveLength(1);
    const nameless = tree.filter((node) => needNames.test(node.role) && node.name.trim() === '');
    expect(nameless).toEqual([]);
    const focused = await tabbed(page);
    expect(firstMissing(focused, reached, (one, want) => one === want)).toBeUndefined();
    expect(focused.filter((one) => /^(?:INVISIBLE|NO END)/.test(one))).toEqual([]);
  });

  test('fits a phone, and axe finds nothing serious in it, light or dark', async () => {
    const page = await viewers.samePage({ width: 390, height: 800 });
    await page.goto(viewers.stand.show(name, await make()));
    await page
      .locator(ready[extname(name)] ?? 'main')
      .first()
      .waitFor();
    expect(await seriousFindings(page, name)).toEqual([]);
    const over = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(over)).toBe(0);
  });
});

const onPaper = ['rules.md', 'tide.py', 'letter.docx', 'ships.csv', 'ships.xlsx', 'tides.ipynb'];

describe.each(onPaper)('%s on paper', (wanted) => {
  test('has its content whole, and no tools', async () => {
    const { name, make } = files.find((one) => one.name === wanted) ?? never();
    const page = await viewers.samePage({ width: 1000, height: 700 });
    await page.goto(viewers.stand.show(name, await make()));
    await page
      .locator(ready[extname(name)] ?? 'main')
      .first()
      .waitFor();
    await page.emulateMedia({ media: 'print' });
    expect(
      await page
        .getByText(/north quay/)
        .first()
        .isVisible(),
    ).toBe(true);
    expect(await page.locator('.tools button:visible, .tools input:visible').count()).toBe(0);
    const cut = `[...document.querySelectorAll('main, main *')].filter((one) => one.scrollHeight > one.clientHeight + 2 && one.clientHeight > 0 && /auto|scroll|hidden/.test(getComputedStyle(one).overflowY)).map((one) => one.className)`;
    expect(await page.evaluate(cut)).toEqual([]);
  });
});

function never(): never {
  throw new Error('not in the table');
}

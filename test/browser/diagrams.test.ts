import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openPage, picture } from './support/chromium.ts';
import { useViewerStand } from './support/use-viewer-stand.ts';
import { watch } from './support/watch.ts';

jest.setTimeout(300_000);

const viewers = useViewerStand();

const fenced = (...diagrams: string[]) =>
  Buffer.from(
    `# Tides\n\n${diagrams.map((text) => `\`\`\`mermaid\n${text}\n\`\`\``).join('\n\n')}\n\nThe end.\n`,
  );
const flow = 'graph TD\naccTitle: From ebb to flood\nA[Ebb] --> B{Slack water}\nB -->|yes| C[Quay]';

let shown: { page: Page; errors: string[] } | undefined;

/** Opens a file in the page of all tests; `errors` are those of this file. */
async function show(bytes: Buffer, name = 'tides.md'): Promise<{ page: Page; errors: string[] }> {
  shown ??= await openShown();
  const { page, errors } = shown;
  await page.emulateMedia({ colorScheme: 'light' });
  errors.length = 0;
  await page.goto(viewers.stand.show(name, bytes));
  return shown;
}

async function openShown(): Promise<{ page: Page; errors: string[] }> {
  const page = await openPage(viewers.browser, { viewport: { width: 390, height: 800 } });
  const errors = watch(page, viewers.stand.host);
  page.on('dialog', (dialog) => {
    errors.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return { page, errors };
}

/** The frame ends when all diagrams of a page are drawn or explained. */
async function drawn(page: Page): Promise<void> {
  await page.locator('.diagram, .prose .hint').first().waitFor();
  await page.locator('.diagram-frame').waitFor({ state: 'detached' });
}

const widthOf = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

test('a diagram is a picture with a name, in both schemes, and its source stays', async () => {
  const { page, errors } = await show(fenced(flow, 'sequenceDiagram\nAda->>Bo: Ahoy'));
  await drawn(page);
  const image = page.getByRole('img', { name: 'From ebb to flood' });
  const sizeOf = () =>
    image.evaluate((one: any) => [one.complete, one.naturalWidth > 50, one.naturalHeight > 50]);
  expect(await sizeOf()).toEqual([true, true, true]);
  const shown = () => image.evaluate((one: any): string => one.currentSrc);
  const light = await shown();
  await picture(page, 'diagram-light-390');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page
    .locator('.diagram img')
    .first()
    .evaluate((one: any) => one.decode());
  expect(await shown()).not.toBe(light);
  await picture(page, 'diagram-dark-390');
  await page.getByText('Source of the diagram').first().click();
  await page.getByText('A[Ebb] --> B{Slack water}').waitFor();
  expect(await page.locator('.diagram').count()).toBe(2);
  expect(await page.evaluate(widthOf)).toBe(0);
  expect(errors).toEqual([]);
});

test.each([
  [
    'tides.gv',
    'digraph { rankdir=LR; node [shape=box]; "high water" -> ebb [label="six hours"]; subgraph cluster_a { label="Quay #7"; ebb -> "end" } }',
  ],
  ['tides.dot', 'graph { a -- b [style=dotted]; c [shape=cylinder, label="Ä\\nö"] }'],
])('%s of Graphviz is a diagram', async (name, text) => {
  const { page, errors } = await show(Buffer.from(text), name);
  await drawn(page);
  expect(await page.locator('.prose .hint', { hasText: 'as it is written' }).count()).toBe(0);
  expect(await page.locator('.diagram img').count()).toBe(1);
  await picture(page, `diagram-${name}`);
  expect(errors).toEqual([]);
});

test('a diagram of a kind that is not drawn says so beside its source', async () => {
  const { page, errors } = await show(Buffer.from('mindmap\n  root((Tides))\n    Ebb\n'), 'a.mmd');
  await page.getByText('This page draws no diagrams of this kind.').waitFor();
  await page.getByText('root((Tides))').waitFor();
  expect(errors).toEqual([]);
});

const aNotebook = (...cells: object[]) =>
  Buffer.from(JSON.stringify({ nbformat: 4, metadata: {}, cells }));
const fence = (text: string) => `\`\`\`mermaid\n${text}\n\`\`\``;

test('a notebook has the diagrams of its texts and of its outputs', async () => {
  const output = (text: string) => ({
    output_type: 'display_data',
    data: { 'text/vnd.mermaid': [text], 'text/plain': '<Mermaid>' },
  });
  const notebook = aNotebook(
    { cell_type: 'markdown', source: ['# Tides\n', fence(flow)] },
    {
      cell_type: 'code',
      source: 'draw()',
      outputs: [output('graph LR\naccTitle: From quay to sea\nA-->B')],
    },
    { cell_type: 'markdown', source: fence('graph TD\nA-->') },
  );
  const { page, errors } = await show(notebook, 'tides.ipynb');
  await drawn(page);
  for (const name of ['From ebb to flood', 'From quay to sea']) {
    const image = page.getByRole('img', { name });
    expect(await image.evaluate((one: any) => one.naturalWidth > 50)).toBe(true);
    // One that is drawn for the dark is not put on white.
    const ground = `getComputedStyle(document.querySelector('img[alt="${name}"]')).backgroundColor`;
    expect(await page.evaluate(ground)).toBe('rgba(0, 0, 0, 0)');
  }
  expect(await page.locator('.prose img').count()).toBe(2);
  await page.locator('pre + .hint').waitFor();
  expect(await page.evaluate(widthOf)).toBe(0);
  await picture(page, 'diagram-notebook-390');
  expect(errors).toEqual([]);
});

test.each([
  ['tides.md', Buffer.from('# Tides\n\n```js\nlet a;\n```\n')],
  ['tides.ipynb', aNotebook({ cell_type: 'code', source: 'let a;', outputs: [] })],
])('%s without a diagram loads nothing for one', async (name, bytes) => {
  const page = await viewers.newPage();
  const paths: string[] = [];
  page.on('request', (request) => paths.push(new URL(request.url()).pathname));
  await page.goto(viewers.stand.show(name, bytes));
  await page.getByText('let a;').waitFor();
  expect(paths.filter((path) => /diagram/.test(path))).toEqual([]);
});

/** Stands for the rest of the world; the policies must let nothing reach it. */
const elsewhere = createServer((_, response) => {
  requests += 1;
  response.end();
});
let requests = 0;
beforeAll(() => new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve)));
afterAll(() => void elsewhere.close());

const evil = 'EVIL/x.png';
const evilHost = () => `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;

test.each<[string, string]>([
  [
    'links and handlers',
    `graph TD\nA-->B\nclick A "javascript:alert(1)"\nclick B call alert(1)\nclick A href "${evil}"`,
  ],
  [
    'HTML in labels',
    `graph TD\nA["<img src=${evil} onerror=alert(1)>"]-->B["<script>alert(1)</script>"]`,
  ],
  [
    'settings of its own',
    `%%{init:{"securityLevel":"loose","htmlLabels":true,"themeCSS":"*{background:url(${evil})}"}}%%\ngraph LR\nA["<img src=${evil}>"]-->B`,
  ],
  [
    'settings in front',
    `---\nconfig:\n  securityLevel: loose\n  htmlLabels: true\n  maxTextSize: 9999999\n---\ngraph LR\nA["<iframe src=${evil}>"]-->B`,
  ],
  ['styles that load', `graph TD\nA-->B\nclassDef x fill:url(${evil})\nclass A x`],
  ['a picture', `graph TD\nA@{ img: "${evil}", label: "x", pos: "t", w: 60, h: 60 } --> B`],
  ['no language', '<script>alert(1)</script>'],
  ['too long', `graph TD\n${'A-->B\n'.repeat(20_000)}`],
  [
    'too many lines between',
    `graph TD\n${Array.from({ length: 3000 }, (_, at) => `n${at}-->n${at + 1}`).join('\n')}`,
  ],
])('a diagram with %s does no harm', async (_, text) => {
  const { page, errors } = await show(fenced(text.replaceAll('EVIL', evilHost()), flow));
  await drawn(page);
  expect(await page.getByRole('img', { name: 'From ebb to flood' }).count()).toBe(1);
  expect(await page.locator('.diagram a, .diagram script, .diagram svg').count()).toBe(0);
  expect(await page.evaluate(widthOf)).toBe(0);
  expect(errors.filter((error) => /^(?:dialog|uncaught)/.test(error))).toEqual([]);
  expect(requests).toBe(0);
});

test('the frame has no origin, and its policy lets it ask for nothing', async () => {
  const { page } = await show(fenced(flow));
  await drawn(page);
  const path = await page.locator('[data-diagram-frame]').getAttribute('data-diagram-frame');
  const response = await page.request.get(`http://${viewers.stand.host}${path}`);
  const policy = response.headers()['content-security-policy'];
  expect(policy).toContain('sandbox allow-scripts;');
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/allow-same-origin|connect-src|img-src/);
  expect(await response.text()).toMatch(
    /<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-/,
  );
});

test('where the library cannot be loaded, the source stays and says so', async () => {
  const page = await openPage(viewers.browser);
  await page.clock.install();
  await page.route(/diagram-frame/, (route) => route.abort());
  await page.goto(viewers.stand.show('tides.md', fenced(flow)));
  await page.locator('.diagram-frame').waitFor({ state: 'attached' });
  await page.clock.fastForward(21_000);
  await page.getByText('The program that draws it could not be loaded.').waitFor();
  await page.getByText('A[Ebb] --> B{Slack water}').waitFor();
  await page.context().close();
});

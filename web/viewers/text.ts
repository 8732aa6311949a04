import { decodeText } from './parts/decode-text.ts';
import { fetchStart } from './parts/fetch-file.ts';
import { readTable, separatorOf } from './parts/read-table.ts';
import { runViewer, type ViewerRoot } from './parts/viewer-root.ts';

const maxBytes = 2 * 1024 * 1024;
const most = { rows: 2000, columns: 100 } as const;

await runViewer(async (root) => {
  const { bytes, cut } = await fetchStart(root.source, maxBytes);
  const text = decodeText(bytes, cut);
  if (root.element.dataset['viewer'] === 'table') showTable(root, text, cut);
  else showText(root, text, cut);
});

function showText({ stage }: ViewerRoot, text: string, cut: boolean): void {
  const pre = document.createElement('pre');
  pre.textContent = text;
  scrollable(pre, 'Text');
  stage.append(pre);
  if (cut) stage.append(remark('Only the start is shown here. Download the file to read all of it.'));
}

function showTable({ stage, name }: ViewerRoot, text: string, cut: boolean): void {
  const separator = /\.tsv$/i.test(name) ? '\t' : separatorOf(text);
  const read = readTable(text, separator, most);
  const rows = cut && !read.cut ? read.rows.slice(0, -1) : read.rows;
  const table = document.createElement('table');
  const [head = [], ...body] = rows;
  const top = table.createTHead().insertRow();
  for (const field of head) top.append(cell('th', field));
  const below = table.createTBody();
  for (const row of body) below.insertRow().append(...row.map((field) => cell('td', field)));
  const frame = document.createElement('div');
  frame.className = 'wide-table';
  scrollable(frame, 'Table');
  frame.append(table);
  stage.append(frame);
  stage.append(remark(amountOf(body.length, cut || read.cut)));
}

function cell(name: 'th' | 'td', field: string): HTMLElement {
  const element = document.createElement(name);
  element.textContent = field;
  if (name === 'th') element.setAttribute('scope', 'col');
  else if (/^[-+]?[\d.,' ]*\d\s?%?$/.test(field)) element.className = 'number';
  return element;
}

function amountOf(rows: number, cut: boolean): string {
  const amount = `${rows.toLocaleString('en-US')} ${rows === 1 ? 'row' : 'rows'}`;
  return cut ? `The first ${amount}. Download the file to have all of it.` : `${amount}.`;
}

function remark(text: string): HTMLElement {
  const element = document.createElement('p');
  element.className = 'hint';
  element.textContent = text;
  return element;
}

/** What scrolls by itself has to be reachable by keyboard, with a name. */
function scrollable(element: HTMLElement, label: string): void {
  element.tabIndex = 0;
  element.setAttribute('role', 'region');
  element.setAttribute('aria-label', label);
}

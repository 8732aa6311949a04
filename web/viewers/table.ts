import { decodeText } from './parts/decode-table.ts';
import { findTable } from './parts/find-table.ts';
import { readTable } from './parts/read-table.ts';
import { fetchStart } from './parts/fetch-file.ts';
import { runViewer, type ViewerRoot } from './parts/viewer-root.ts';

const maxBytes = 2 * 1024 * 1024;
const most = { rows: 2000, columns: 100 } as const;

function showTable({ stage, name }: ViewerRoot, text: string, cut: boolean): void {
  const found = findTable(text, /\.tsv$/i.test(name) ? '\t' : undefined);
  const read = readTable(found.text, found.separator, most);
  const rows = cut && !read.cut ? read.rows.slice(0, -1) : read.rows;
  const table = document.createElement('table');
  const [head = [], ...body] = rows;
  const top = table.createTHead().insertRow();
  for (const [column, field] of head.entries()) {
    const heading = cell('th', field);
    heading.scope = 'col';
    if (isNumber(body[0]?.[column] ?? '')) heading.className = 'number';
    top.append(heading);
  }
  const below = table.createTBody();
  for (const row of body) below.insertRow().append(...row.map((field) => cell('td', field)));
  const frame = document.createElement('div');
  frame.className = 'wide-table';
  // A scrollable element must be reachable by keyboard and have a name.
  frame.tabIndex = 0;
  frame.setAttribute('role', 'region');
  frame.setAttribute('aria-label', 'Table');
  frame.append(table);
  if (found.preamble.length > 0) stage.append(remark(found.preamble.join('\n')));
  stage.append(frame);
  stage.append(remark(amountOf(body.length, cut || read.cut)));
}

function cell(name: 'th' | 'td', field: string): HTMLTableCellElement {
  const element = document.createElement(name);
  element.textContent = field;
  if (name === 'td' && isNumber(field)) element.className = 'number';
  return element;
}

function isNumber(field: string): boolean {
  return /^[-+]?[\d.,' ]{0,40}\d\s?%?$/.test(field);
}

function amountOf(rows: number, cut: boolean): string {
  const amount = `${rows.toLocaleString('en-US')} ${rows === 1 ? 'row' : 'rows'}`;
  return cut
    ? `Only the first ${amount} are shown. Download the file to see all of it.`
    : `${amount}.`;
}

function remark(text: string): HTMLElement {
  const element = document.createElement('p');
  element.className = 'hint';
  element.textContent = text;
  return element;
}

// Last, because it runs immediately: constants below it would not be initialized yet.
await runViewer(async (root) => {
  const { bytes, cut } = await fetchStart(root.source, maxBytes);
  showTable(root, decodeText(bytes, cut), cut);
});

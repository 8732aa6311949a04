import { fetchFile, fetchStart } from './parts/fetch-file.ts';
import { element, runViewer, type ViewerRoot } from './parts/viewer-root.ts';
import { runWorker } from './parts/worker-answer.ts';
import { Grid } from './tables/grid.ts';
import { rowsAsText } from './tables/row-order.ts';
import { type Sheet, tableLimits, type TableRequest, type Workbook } from './tables/sheet.ts';

const mebibyte = 1024 * 1024;
/** The start of a longer text is a table too; a spreadsheet is only whole. */
const most = { textBytes: 20 * mebibyte, spreadsheetBytes: 40 * mebibyte } as const;
const workerSeconds = 30;

async function readWorkbook({ source, name, stage }: ViewerRoot): Promise<Workbook> {
  const { sheetWorker = '', tableWorker = '' } = stage.dataset;
  const isText = /\.[ct]sv$/i.test(name);
  const { bytes, cut } = isText
    ? await fetchStart(source, most.textBytes)
    : { bytes: await fetchFile(source, most.spreadsheetBytes), cut: false };
  return runWorker<TableRequest, Workbook>({
    script: isText ? tableWorker : sheetWorker,
    request: { name, bytes, isCut: cut },
    moved: [bytes.buffer],
    seconds: workerSeconds,
  });
}

function showWorkbook(stage: HTMLElement, { sheets, isLettered, preamble }: Workbook): void {
  if (preamble.length > 0) stage.append(remark(preamble.join('\n')));
  const tabs = sheets.length > 1 ? tabList(sheets) : undefined;
  if (tabs !== undefined) stage.append(tabs);
  const view = document.createElement('div');
  stage.append(view);
  const find = element('[data-find]', HTMLInputElement);
  let current: { sheet: Sheet; grid: Grid } | undefined;

  const open = (sheet: Sheet) => {
    const amount = remark('');
    amount.setAttribute('role', 'status');
    const grid = new Grid(sheet, isLettered, (count) => {
      amount.textContent = amountOf(sheet, count);
    });
    current = { sheet, grid };
    view.replaceChildren(...(sheet.rows.length > 0 ? [grid.element] : []), amount);
    grid.attached();
    if (find.value !== '') grid.choose({ query: find.value });
  };
  tabs?.addEventListener('click', ({ target }) => {
    const tab = target instanceof Element ? target.closest('button') : null;
    const sheet = sheets[Number(tab?.dataset['sheet'])];
    if (tab === null || sheet === undefined) return;
    for (const other of tabs.querySelectorAll('button')) {
      other.setAttribute('aria-pressed', String(other === tab));
    }
    open(sheet);
  });
  find.addEventListener('input', () => current?.grid.choose({ query: find.value }));
  const copy = element('[data-copy]', HTMLButtonElement);
  copy.addEventListener('click', () => {
    if (current === undefined) return;
    const text = rowsAsText(current.sheet, current.grid.order);
    void navigator.clipboard.writeText(text).then(
      () => showStatus(copy, 'Copied'),
      () => showStatus(copy, 'The browser does not allow it'),
    );
  });
  const [first] = sheets;
  if (first === undefined) view.append(remark('The file has no sheets.'));
  else open(first);
}

function showStatus(button: HTMLButtonElement, text: string): void {
  button.textContent = text;
  setTimeout(() => {
    button.textContent = 'Copy as text';
  }, 2000);
}

function tabList(sheets: readonly Sheet[]): HTMLElement {
  const tabs = document.createElement('div');
  tabs.className = 'sheet-tabs';
  tabs.setAttribute('role', 'group');
  tabs.setAttribute('aria-label', 'Sheets');
  for (const [index, { name }] of sheets.entries()) {
    const tab = document.createElement('button');
    tab.type = 'button';
    tab.textContent = name;
    tab.dataset['sheet'] = String(index);
    tab.setAttribute('aria-pressed', String(index === 0));
    tabs.append(tab);
  }
  return tabs;
}

function amountOf({ rows, headRows, isCut }: Sheet, count: number): string {
  if (rows.length === 0) return 'This sheet is empty.';
  const all = rows.length - headRows;
  const amount = `${all.toLocaleString('en-US')} ${all === 1 ? 'row' : 'rows'}`;
  if (count !== all) return `${count.toLocaleString('en-US')} of ${amount}.`;
  if (!isCut) return `${amount}.`;
  const columns = `${tableLimits.columns} columns`;
  return `Only the first ${amount} and at most ${columns} are shown. Download the file to see all of it.`;
}

function remark(text: string): HTMLElement {
  const element = document.createElement('p');
  element.className = 'hint';
  element.textContent = text;
  return element;
}

// Last, because it runs immediately: constants below it would not be initialized yet.
await runViewer(async (root) => {
  showWorkbook(root.stage, await readWorkbook(root));
});

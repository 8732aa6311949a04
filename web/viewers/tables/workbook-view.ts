import { element } from '../parts/viewer-root.ts';
import { mostCellCharacters, shortened } from './cells.ts';
import { Grid } from './grid.ts';
import { drawingWords } from './sheet-drawings.ts';
import { rowsAsText } from './row-order.ts';
import { type Sheet, tableLimits, type Workbook } from './sheet.ts';

/**
 * How much of a file is known: its first rows, all of it, or no more, with the reason in a
 * sentence.
 */
export type Progress = 'start' | 'whole' | { reason: string };

/** The sheets of a file, one of them open, with search and copying. */
export class WorkbookView {
  readonly #preamble = remark('');
  readonly #tabs = tabGroup();
  readonly #view = document.createElement('div');
  readonly #find = element('[data-find]', HTMLInputElement);
  readonly #copy = element('[data-copy]', HTMLButtonElement);
  #workbook: Workbook = { sheets: [], isLettered: true, preamble: [] };
  #progress: Progress = 'start';
  #current: { index: number; grid: Grid } | undefined;

  constructor(stage: HTMLElement) {
    stage.append(this.#preamble, this.#tabs, this.#view);
    this.#tabs.addEventListener('click', ({ target }) => {
      const tab = target instanceof Element ? target.closest('button') : null;
      if (tab === null) return;
      // A search is in one sheet.
      this.#find.value = '';
      this.#open(Number(tab.dataset['sheet']));
    });
    this.#find.addEventListener('input', () =>
      this.#current?.grid.choose({ query: this.#find.value }),
    );
    this.#copy.addEventListener('click', () => this.#copyRows());
  }

  /** Shows a file, or more of the same; what somebody chose, and where they are in it, stays. */
  show(workbook: Workbook, progress: Progress): void {
    const before = this.#current?.grid;
    const place = before === undefined ? undefined : before.place;
    this.#workbook = workbook;
    this.#progress = progress;
    this.#copy.disabled = progress === 'start';
    this.#preamble.textContent = shortened(workbook.preamble.join('\n'), mostCellCharacters);
    this.#preamble.hidden = workbook.preamble.length === 0;
    writeTabs(this.#tabs, workbook.sheets);
    this.#open(this.#current?.index ?? 0);
    if (place !== undefined) this.#current?.grid.returnTo(place);
  }

  /** No more of the file can be read. */
  stop(reason: string): void {
    this.show(this.#workbook, { reason });
  }

  #open(index: number): void {
    const sheet = this.#workbook.sheets[index];
    if (sheet === undefined) {
      this.#view.replaceChildren(remark('The file has no sheets.'));
      return;
    }
    for (const [at, tab] of this.#tabs.querySelectorAll('button').entries()) {
      tab.setAttribute('aria-pressed', String(at === index));
    }
    const amount = remark('');
    amount.setAttribute('role', 'status');
    const grid = new Grid(sheet, this.#workbook.isLettered, (count) => {
      amount.textContent = [amountOf(sheet, count, this.#progress), drawingsIn(sheet)]
        .filter((text) => text !== '')
        .join(' ');
    });
    this.#current = { index, grid };
    this.#view.replaceChildren(...(sheet.rows.length > 0 ? [grid.element] : []), amount);
    grid.attached();
    if (this.#find.value !== '') grid.choose({ query: this.#find.value });
  }

  #copyRows(): void {
    const { index = 0, grid } = this.#current ?? {};
    const sheet = this.#workbook.sheets[index];
    if (sheet === undefined || grid === undefined) return;
    void navigator.clipboard.writeText(rowsAsText(sheet, grid.order)).then(
      () => showStatus(this.#copy, 'Copied'),
      () => showStatus(this.#copy, 'The browser does not allow it'),
    );
  }
}

function showStatus(button: HTMLButtonElement, text: string): void {
  button.textContent = text;
  setTimeout(() => {
    button.textContent = 'Copy as text';
  }, 2000);
}

function tabGroup(): HTMLElement {
  const tabs = document.createElement('div');
  tabs.className = 'sheet-tabs';
  tabs.setAttribute('role', 'group');
  tabs.setAttribute('aria-label', 'Sheets');
  return tabs;
}

/** Buttons that are there already stay: one of them may have the focus. */
function writeTabs(tabs: HTMLElement, sheets: readonly Sheet[]): void {
  tabs.hidden = sheets.length < 2;
  for (const [index, { name }] of sheets.entries()) {
    const tab = tabs.querySelectorAll('button')[index] ?? document.createElement('button');
    tab.type = 'button';
    tab.textContent = name;
    tab.dataset['sheet'] = String(index);
    if (!tab.isConnected) tabs.append(tab);
  }
}

function amountOf(sheet: Sheet, count: number, progress: Progress): string {
  const { rows, headRows, isCut } = sheet;
  if (progress === 'start') return 'Reading the rest of the file …';
  if (rows.length === 0) return drawingsIn(sheet) === '' ? 'This sheet is empty.' : '';
  const all = rows.length - headRows;
  const amount = `${all.toLocaleString('en-US')} ${all === 1 ? 'row' : 'rows'}`;
  if (progress !== 'whole') {
    return `Only the first ${amount} are shown. Download the file to see all of it. ${progress.reason}`;
  }
  if (count === 0 && all > 0) return 'Nothing found.';
  if (count !== all) return `${count.toLocaleString('en-US')} of ${amount}.`;
  if (!isCut) return `${amount}.`;
  const columns = `${tableLimits.columns} columns`;
  return `Only the first ${amount} and at most ${columns} are shown. Download the file to see all of it.`;
}

/** Charts and pictures are at least counted. */
function drawingsIn({ drawings }: Sheet): string {
  const words = drawings === undefined ? '' : drawingWords(drawings);
  return words && `This sheet also has ${words}, to be seen in a spreadsheet program.`;
}

function remark(text: string): HTMLElement {
  const element = document.createElement('p');
  element.className = 'hint';
  element.textContent = text;
  return element;
}

import {
  cellOf,
  columnWidths,
  dress,
  isNumeric,
  letters,
  mostTitleCharacters,
  rowNumber,
  setColumns,
  shortened,
  space,
  span,
} from './cells.ts';
import { type Merge, type Sheet, textOf, widthOf } from './sheet.ts';
import { rowOrder, type TableChoice } from './row-order.ts';

/** Longer tables have rows of one height, and only those in view are in the document. */
const mostWholeRows = 300;
/** CSS pixels; the style sheet gives rows of long tables this height. */
const rowPixels = 36;
/** Rows outside of the view on either side, so that scrolling shows no gap. */
const spareRows = 24;

/** What somebody chose in a table, and what they see of it. */
interface GridPlace {
  choice: TableChoice;
  top: number;
  left: number;
  hasFocus: boolean;
}

/** A sheet as a table that scrolls, can be sorted by its columns, and shows the rows of a search. */
export class Grid {
  readonly element = document.createElement('div');
  readonly #sheet: Sheet;
  readonly #isLettered: boolean;
  readonly #width: number;
  readonly #table = document.createElement('table');
  readonly #body: HTMLTableSectionElement;
  readonly #spaces = [space(), space()] as const;
  /** The rows in the document, by their place in the order. */
  readonly #shown = new Map<number, HTMLTableRowElement>();
  readonly #onChange: (count: number) => void;
  #choice: TableChoice = { query: '' };
  order: number[] = [];

  /** @param onChange called with the number of rows that are selected */
  constructor(sheet: Sheet, isLettered: boolean, onChange: (count: number) => void) {
    this.#sheet = sheet;
    this.#isLettered = isLettered;
    this.#width = widthOf(sheet);
    this.#onChange = onChange;
    this.element.className = 'wide-table';
    // A scrollable element must be reachable by keyboard and have a name.
    this.element.tabIndex = 0;
    this.element.setAttribute('role', 'region');
    this.element.setAttribute('aria-label', isLettered ? `Sheet ${sheet.name}` : 'Table');
    const isLong = sheet.rows.length > mostWholeRows;
    this.#table.classList.toggle('long', isLong);
    this.#table.classList.toggle('lettered', isLettered);
    // Documents choose their colours for white paper.
    this.element.classList.toggle('on-paper', sheet.styles !== undefined);
    if (isLong) setColumns(this.#table, columnWidths(sheet, isLettered));
    this.#writeHead();
    this.#body = this.#table.createTBody();
    this.element.append(this.#table);
    this.element.addEventListener('scroll', () => this.#follow(), { passive: true });
    new ResizeObserver(() => this.#follow()).observe(this.element);
    this.choose({ query: '' });
  }

  /** Where somebody is in it. */
  get place(): GridPlace {
    const { scrollTop: top, scrollLeft: left } = this.element;
    return { choice: this.#choice, top, left, hasFocus: document.activeElement === this.element };
  }

  returnTo({ choice, top, left, hasFocus }: GridPlace): void {
    this.choose(choice);
    this.element.scrollTo({ top, left });
    if (hasFocus) this.element.focus({ preventScroll: true });
  }

  /** Shows only the rows that a choice selects, in its order. */
  choose(change: Partial<TableChoice>): void {
    this.#choice = { ...this.#choice, ...change };
    this.order = rowOrder(this.#sheet, this.#choice);
    this.#table.setAttribute('aria-rowcount', String(this.#headRows() + this.order.length));
    for (const [column, heading] of this.#sortHeadings().entries()) {
      const isSorted = this.#choice.column === column;
      const way = this.#choice.isDescending === true ? 'descending' : 'ascending';
      if (isSorted) heading.setAttribute('aria-sort', way);
      else heading.removeAttribute('aria-sort');
    }
    this.element.scrollTop = 0;
    this.#shown.clear();
    this.#body.replaceChildren(...this.#spaces);
    this.#follow();
    this.#freezeColumns();
    this.#onChange(this.order.length);
  }

  #isWhole(): boolean {
    return this.#sheet.rows.length <= mostWholeRows;
  }

  /** Merged cells are in their place only while all rows are. */
  #areMerged(): boolean {
    return this.#choice.query === '' && this.#choice.column === undefined;
  }

  #sortHeadings(): HTMLTableCellElement[] {
    const [row] = this.#table.tHead?.rows ?? [];
    return [...(row?.cells ?? [])].slice(this.#isLettered ? 1 : 0);
  }

  #headRows(): number {
    return this.#table.tHead?.rows.length ?? 0;
  }

  #writeHead(): void {
    const head = this.#table.createTHead();
    const names = head.insertRow();
    const [first = []] = this.#sheet.rows;
    if (this.#isLettered) names.append(document.createElement('td'));
    for (let column = 0; column < this.#width; column += 1) {
      const name = this.#isLettered
        ? letters(column)
        : shortened(textOf(first[column]), mostTitleCharacters);
      names.append(this.#sortHeading(column, name));
    }
    if (!this.#isLettered) return;
    for (let row = 0; row < this.#sheet.headRows; row += 1) head.append(this.#rowOf(row));
  }

  #sortHeading(column: number, name: string): HTMLTableCellElement {
    const heading = document.createElement('th');
    heading.scope = 'col';
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = name;
    button.title = `Sort by ${name}`;
    button.addEventListener('click', () => this.#sortBy(column));
    heading.append(button);
    const sample = this.#sheet.rows[Math.max(1, this.#sheet.headRows)]?.[column];
    if (!this.#isLettered && isNumeric(sample)) heading.className = 'number';
    return heading;
  }

  /** First up, then down, then as in the file. */
  #sortBy(column: number): void {
    const { column: before, isDescending } = this.#choice;
    if (before !== column) this.choose({ column, isDescending: false });
    else if (isDescending !== true) this.choose({ isDescending: true });
    else this.choose({ column: undefined, isDescending: false });
  }

  /** Puts the rows in view into the document, and takes out those that have left it. */
  #follow(): void {
    const [first, last] = this.#range();
    for (const [place, row] of this.#shown) {
      if (place >= first && place < last) continue;
      row.remove();
      this.#shown.delete(place);
    }
    const [above, below] = this.#spaces;
    let before: Element = above;
    for (let place = first; place < last; place += 1) {
      const row = this.#shown.get(place) ?? this.#rowAt(place);
      if (row.previousElementSibling !== before) before.after(row);
      before = row;
    }
    above.style.height = `${first * rowPixels}px`;
    below.style.height = `${(this.order.length - last) * rowPixels}px`;
    above.hidden = first === 0;
    below.hidden = last === this.order.length;
  }

  #range(): [first: number, last: number] {
    const count = this.order.length;
    if (this.#isWhole()) return [0, count];
    const { scrollTop, clientHeight } = this.element;
    // Printing has no view.
    const height = clientHeight || 1000;
    const first = Math.max(0, Math.floor(scrollTop / rowPixels) - spareRows);
    return [
      Math.min(first, count),
      Math.min(count, first + Math.ceil(height / rowPixels) + 2 * spareRows),
    ];
  }

  #rowAt(place: number): HTMLTableRowElement {
    const row = this.#rowOf(this.order[place] ?? 0);
    row.setAttribute('aria-rowindex', String(this.#headRows() + place + 1));
    this.#shown.set(place, row);
    return row;
  }

  #rowOf(index: number): HTMLTableRowElement {
    const row = document.createElement('tr');
    const { styles } = this.#sheet;
    const cells = this.#sheet.rows[index] ?? [];
    if (this.#isLettered) row.append(rowNumber(index));
    const merges = this.#areMerged() ? this.#mergesIn(index) : [];
    for (let column = 0; column < this.#width; column += 1) {
      const merge = merges.find((one) => column >= one.column && column < one.column + one.columns);
      // A part of a merged cell that is not its beginning.
      if (merge !== undefined && (merge.column !== column || merge.row !== index)) continue;
      const cell = cellOf(cells[column]);
      if (merge !== undefined) span(cell, merge);
      dress(cell, styles?.styles[styles.cells[index]?.[column] ?? 0]);
      cell.dataset['column'] = String(column);
      row.append(cell);
    }
    return row;
  }

  /** Long tables keep only merges within a row: the first row of the others may be out of view. */
  #mergesIn(row: number): Merge[] {
    return this.#sheet.merges.filter(
      (merge) =>
        row >= merge.row && row < merge.row + merge.rows && (this.#isWhole() || merge.rows === 1),
    );
  }

  /** Columns that stay in view keep the place that they have now. */
  #freezeColumns(): void {
    const { headColumns } = this.#sheet;
    if (!this.#isLettered || headColumns === 0 || !this.element.isConnected) return;
    const places = this.#sortHeadings()
      .slice(0, headColumns)
      .map(({ offsetLeft }) => offsetLeft);
    const sheet = new CSSStyleSheet();
    for (const [column, left] of places.entries()) {
      sheet.insertRule(
        `.lettered td[data-column="${column}"]{position:sticky;left:${left}px;z-index:1;background:var(--sheet)}`,
      );
    }
    document.adoptedStyleSheets = [sheet];
  }

  /** To be called when it is in the document. */
  attached(): void {
    this.#follow();
    this.#freezeColumns();
  }
}

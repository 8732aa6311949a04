import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { PdfPageView } from './page-view.ts';

/** CSS pixels for a point of 1/72 inch. */
const pixelsPerPoint = 96 / 72;
const widest = 1.25 * pixelsPerPoint;

/** Each page is an element; a few objects of a document can say that there are millions of pages. */
export const mostPages = 10_000;

/** All pages of a document below each other, at one scale. Those near the viewport are drawn. */
export class PageList {
  /** Called when the size of the pages has changed. */
  onScale: () => void = () => undefined;
  /** Called when other pages are near, or the text of one came. */
  onChange: () => void = () => undefined;
  readonly #sheets: HTMLElement;
  readonly #pages: readonly PdfPageView[];
  readonly #near = new Set<PdfPageView>();
  readonly #pageWidth: number;
  #scale = 1;
  #isFitted = true;
  #redrawing: ReturnType<typeof setTimeout> | undefined;

  constructor(
    pdf: PDFDocumentProxy,
    sheets: HTMLElement,
    first: { width: number; height: number },
  ) {
    this.#sheets = sheets;
    this.#pageWidth = first.width;
    this.#pages = Array.from(
      { length: Math.min(pdf.numPages, mostPages) },
      (_, index) => new PdfPageView(pdf, index + 1, first),
    );
    sheets.replaceChildren(...this.#pages.map((page) => page.element));
    this.fit();
    this.#follow();
    let width = sheets.clientWidth;
    new ResizeObserver(() => {
      if (sheets.clientWidth === width) return;
      width = sheets.clientWidth;
      if (this.#isFitted) this.fit();
    }).observe(sheets);
  }

  get length(): number {
    return this.#pages.length;
  }

  /** The scale in percent of the printed size. */
  get percent(): number {
    return Math.round((this.#scale / pixelsPerPoint) * 100);
  }

  at(index: number): PdfPageView | undefined {
    return this.#pages[index];
  }

  nearIndexes(): number[] {
    return [...this.#near].map((page) => this.#pages.indexOf(page));
  }

  /** Puts the text of every page in place, so that the browser's own search finds it. */
  async writeAll(): Promise<void> {
    await this.#pages[0]?.draw(this.#scale);
    for (const page of this.#pages) await page.write();
  }

  fit(): void {
    this.#isFitted = true;
    const { paddingLeft, paddingRight } = getComputedStyle(this.#sheets);
    const padding = Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight);
    this.#setScale(Math.min((this.#sheets.clientWidth - padding) / this.#pageWidth, widest));
  }

  zoom(factor: number): void {
    this.#isFitted = false;
    this.#setScale(this.#scale * factor);
  }

  /** The number of the page that is in the upper half of the window. */
  current(): number {
    let low = 0;
    let high = this.#pages.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      const top = this.#pages[middle]?.element.getBoundingClientRect().top ?? 0;
      if (top <= innerHeight / 2) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  }

  /** Shows the page of this number, or the one that is nearest to it. */
  goTo(number: number): void {
    const index = Math.min(this.#pages.length, Math.max(1, number)) - 1;
    this.#pages[index]?.element.scrollIntoView({ behavior: 'instant' });
  }

  #setScale(wanted: number): void {
    // Before the first layout no page has a height.
    const current = this.#sheets.style.length === 0 ? 1 : this.current();
    this.#scale = Math.min(8, Math.max(0.2, wanted));
    this.#sheets.style.setProperty('--total-scale-factor', String(this.#scale));
    if (current > 1) this.goTo(current);
    this.onScale();
    clearTimeout(this.#redrawing);
    this.#redrawing = setTimeout(() => {
      for (const page of this.#near) void page.draw(this.#scale);
    }, 150);
  }

  /** Draws what comes near and forgets what goes away. */
  #follow(): void {
    const byElement = new Map(this.#pages.map((page) => [page.element, page] as const));
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          const page = target instanceof HTMLElement ? byElement.get(target) : undefined;
          if (page !== undefined) this.#move(page, isIntersecting);
        }
        this.onChange();
      },
      { rootMargin: '75% 0px' },
    );
    for (const page of this.#pages) observer.observe(page.element);
  }

  #move(page: PdfPageView, isNear: boolean): void {
    if (!isNear) {
      this.#near.delete(page);
      page.clear();
      return;
    }
    this.#near.add(page);
    void page.draw(this.#scale).then(() => this.onChange());
  }
}

import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import {
  EventBus,
  FindState,
  PDFFindController,
  PDFLinkService,
} from 'pdfjs-dist/legacy/web/pdf_viewer.mjs';
import type { PageList } from './page-list.ts';

/** How far a search is. */
export interface SearchState {
  /** The occurrence that is shown, from 1; 0 while none is. */
  current: number;
  total: number;
  isPending: boolean;
}

/** What pdf.js says of its search. */
interface SearchEvent {
  state?: number;
  matchesCount: { current: number; total: number };
}

/** Searches a document with the search of pdf.js, which ignores accents, case and hyphens at line ends. */
export class DocumentSearch {
  readonly #bus = new EventBus();
  readonly #search: PDFFindController;
  readonly #pages: PageList;
  #query = '';

  constructor(pdf: PDFDocumentProxy, pages: PageList, show: (state: SearchState) => void) {
    this.#pages = pages;
    const goTo = () => void this.#showSelected();
    const linkService = new PDFLinkService({ eventBus: this.#bus });
    linkService.setDocument(pdf);
    linkService.setViewer({
      get currentPageNumber() {
        return pages.current();
      },
      /** pdf.js sets it when an occurrence is to be shown. */
      set currentPageNumber(_: number) {
        goTo();
      },
    });
    this.#search = new PDFFindController({ linkService, eventBus: this.#bus });
    this.#search.setDocument(pdf);
    let isPending = false;
    const tell = ({ state, matchesCount }: SearchEvent) => {
      if (state !== undefined) isPending = state === FindState.PENDING;
      show({ ...matchesCount, isPending });
    };
    this.#bus.on('updatefindcontrolstate', tell);
    this.#bus.on('updatefindmatchescount', tell);
    this.#bus.on('updatetextlayermatches', () => this.mark());
    pages.onChange = () => this.mark();
  }

  /** Shows the next occurrence of the same words, or the first one of others after the current page. */
  find(query: string, isBackwards = false): void {
    const type = query === this.#query ? 'again' : 'find';
    this.#query = query;
    this.#bus.dispatch('find', {
      type,
      query,
      caseSensitive: false,
      entireWord: false,
      highlightAll: true,
      matchDiacritics: false,
      findPrevious: isBackwards,
    });
  }

  /** Takes the marks away. */
  close(): void {
    this.#query = '';
    this.#bus.dispatch('findbarclose', {});
  }

  /** Marks the occurrences on the pages near the viewport. */
  mark(): void {
    if (!('highlights' in CSS)) return;
    const isOn = this.#search.highlightMatches === true;
    const near = isOn ? this.#pages.nearIndexes() : [];
    CSS.highlights.set('found', new Highlight(...near.flatMap((index) => this.#rangesOn(index))));
    const selected = isOn ? this.#selectedRange() : undefined;
    CSS.highlights.set('chosen', selected ? new Highlight(selected) : new Highlight());
  }

  #rangesOn(index: number): Range[] {
    const places: unknown[] = this.#search.pageMatches?.[index] ?? [];
    const lengths: unknown[] = this.#search.pageMatchesLength?.[index] ?? [];
    const parts = places.map((at, match) => ({ at: Number(at), length: Number(lengths[match]) }));
    return this.#pages.at(index)?.rangesOf(parts) ?? [];
  }

  #selectedRange(): Range | undefined {
    const { pageIdx = -1, matchIdx = -1 } = this.#search.selected ?? {};
    return this.#rangesOn(pageIdx)[matchIdx];
  }

  async #showSelected(): Promise<void> {
    const { pageIdx = -1, matchIdx = -1 } = this.#search.selected ?? {};
    await this.#pages.at(pageIdx)?.write();
    const range = this.#selectedRange();
    const element = range?.startContainer.parentElement;
    if (range === undefined || !element) return;
    this.#search.scrollMatchIntoView({ element, pageIndex: pageIdx, matchIndex: matchIdx });
    this.mark();
    if ('highlights' in CSS) return;
    getSelection()?.removeAllRanges();
    getSelection()?.addRange(range);
  }
}

import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { element } from '../parts/viewer-root.ts';
import type { DocumentSearch, SearchState } from './find.ts';
import type { PageList } from './page-list.ts';

/** The field for words, and how many times they occur. The search itself is loaded when it opens. */
export class SearchForm {
  readonly #form = element('.finder', HTMLFormElement);
  readonly #field = element('.finder input', HTMLInputElement);
  readonly #amount = element('.finder output', HTMLOutputElement);
  readonly #load: () => Promise<DocumentSearch>;
  #search: Promise<DocumentSearch> | undefined;

  constructor(pdf: PDFDocumentProxy, pages: PageList) {
    this.#load = async () => {
      const { DocumentSearch: Search } = await import('./find.ts');
      return new Search(pdf, pages, (state) => this.#show(state));
    };
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#find(false);
    });
    this.#field.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.close();
      if (event.key !== 'Enter' || !event.shiftKey) return;
      event.preventDefault();
      void this.#find(true);
    });
    element('.finder [data-back]', HTMLButtonElement).addEventListener('click', () => {
      void this.#find(true);
    });
    element('.finder [data-close]', HTMLButtonElement).addEventListener('click', () =>
      this.close(),
    );
  }

  open(): void {
    this.#form.hidden = false;
    this.#field.focus();
    this.#field.select();
    this.#search ??= this.#load();
  }

  close(): void {
    this.#form.hidden = true;
    this.#amount.value = '';
    void this.#search?.then((search) => search.close());
    element('[data-do="find"]', HTMLButtonElement).focus();
  }

  async #find(isBackwards: boolean): Promise<void> {
    const query = this.#field.value.trim();
    if (query === '') return;
    this.#search ??= this.#load();
    (await this.#search).find(query, isBackwards);
  }

  #show({ current, total, isPending }: SearchState): void {
    if (total > 0) this.#amount.value = `${current} of ${total}`;
    else this.#amount.value = isPending ? 'Searching …' : 'Not found';
  }
}

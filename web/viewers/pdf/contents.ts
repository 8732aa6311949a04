import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { element } from '../parts/viewer-root.ts';
import { attachmentsOf } from './attachments.ts';
import type { DocumentSource } from './document-options.ts';
import type { OpenDocument } from './open-document.ts';
import { mostPages } from './page-list.ts';
import { linkOutside, pageNumberOf } from './targets.ts';

type Outline = Awaited<ReturnType<PDFDocumentProxy['getOutline']>>;

/** More entries would make the page slow. */
const mostEntries = 3000;
/** CSS pixels. */
const thumbnailWidth = 112;

/** The panel beside a document: its outline, small pictures of its pages, and files attached to it. */
export class ContentsPanel {
  readonly #panel = element('#contents', HTMLElement);
  readonly #outline = element('[data-outline]', HTMLElement);
  readonly #thumbnails = element('[data-thumbnails]', HTMLElement);
  readonly #attachments = document.querySelector<HTMLElement>('[data-attachments]');
  readonly #tabs = element('#contents .choice', HTMLElement);
  readonly #pdf: PDFDocumentProxy;
  readonly #source: DocumentSource;
  readonly #goTo: (page: number) => void;
  #isFilled = false;
  #areAttachmentsRead = false;
  #entries = 0;

  constructor({ pdf, source }: OpenDocument, goTo: (page: number) => void) {
    this.#pdf = pdf;
    this.#source = source;
    this.#goTo = (page) => {
      // On a phone the panel covers the page.
      if (matchMedia('(max-width:48rem)').matches) this.toggle();
      goTo(page);
    };
    for (const tab of this.#tabs.querySelectorAll('button')) {
      tab.addEventListener('click', () => this.#choose(tab.dataset['tab'] ?? ''));
    }
  }

  /** Opens or closes it; it is filled when it opens for the first time. */
  toggle(): void {
    this.#panel.hidden = !this.#panel.hidden;
    element('[data-do="contents"]', HTMLButtonElement).setAttribute(
      'aria-expanded',
      String(!this.#panel.hidden),
    );
    if (this.#isFilled) return;
    this.#isFilled = true;
    void this.#fill();
  }

  async #fill(): Promise<void> {
    this.#listPages();
    const outline: Outline | null = await this.#pdf.getOutline().catch(() => null);
    const hasOutline = outline !== null && outline.length > 0;
    if (hasOutline) this.#outline.append(this.#listOf(outline));
    this.#showTab('outline', hasOutline);
    this.#choose(hasOutline ? 'outline' : 'pages');
    // Whether there are any is known when they are read.
    if (this.#attachments !== null) this.#showTab('attachments', true);
  }

  /** Reading them takes long if they are large, so nobody waits for them who did not choose them. */
  async #listAttachments(list: HTMLElement): Promise<void> {
    if (this.#areAttachmentsRead) return;
    this.#areAttachmentsRead = true;
    list.textContent = 'Reading the attached files …';
    list.replaceChildren(...(await attachmentsOf(this.#source)));
  }

  #showTab(name: string, hasContent: boolean): void {
    element(`#contents [data-tab="${name}"]`, HTMLElement).hidden = !hasContent;
    const tabs = [...this.#tabs.querySelectorAll('button')];
    this.#tabs.hidden = tabs.filter((tab) => !tab.hidden).length < 2;
  }

  #choose(name: string): void {
    this.#outline.hidden = name !== 'outline';
    this.#thumbnails.hidden = name !== 'pages';
    if (this.#attachments !== null) {
      this.#attachments.hidden = name !== 'attachments';
      if (name === 'attachments') void this.#listAttachments(this.#attachments);
    }
    for (const tab of this.#tabs.querySelectorAll('button')) {
      tab.setAttribute('aria-pressed', String(tab.dataset['tab'] === name));
    }
  }

  #listOf(outline: Outline): HTMLElement {
    const list = document.createElement('ul');
    for (const { title, dest, url, items } of outline) {
      this.#entries += 1;
      if (this.#entries > mostEntries) break;
      const entry = document.createElement('li');
      const target = linkOutside(url) ?? this.#entryTo(dest);
      target.textContent = title.trim() || 'Untitled';
      entry.append(target);
      if (items.length > 0) entry.append(this.#listOf(items));
      list.append(entry);
    }
    return list;
  }

  /** Its page is looked up when it is chosen: an outline may have thousands of entries. */
  #entryTo(destination: unknown): HTMLElement {
    const entry = document.createElement('button');
    entry.type = 'button';
    entry.addEventListener('click', () => {
      void pageNumberOf(this.#pdf, destination).then((page) => {
        if (page !== undefined) this.#goTo(page);
      });
    });
    return entry;
  }

  #listPages(): void {
    const observer = new IntersectionObserver(
      (seen) => {
        for (const { target, isIntersecting } of seen) {
          if (!isIntersecting || !(target instanceof HTMLElement)) continue;
          observer.unobserve(target);
          void this.#draw(target);
        }
      },
      { root: this.#panel, rootMargin: '50% 0px' },
    );
    for (let number = 1; number <= Math.min(this.#pdf.numPages, mostPages); number += 1) {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = String(number);
      button.dataset['number'] = String(number);
      button.setAttribute('aria-label', `Page ${number}`);
      button.addEventListener('click', () => this.#goTo(number));
      this.#thumbnails.append(button);
      observer.observe(button);
    }
  }

  async #draw(button: HTMLElement): Promise<void> {
    const page = await this.#pdf.getPage(Number(button.dataset['number']));
    const { width } = page.getViewport({ scale: 1 });
    const viewport = page.getViewport({ scale: (thumbnailWidth * devicePixelRatio) / width });
    const canvas = document.createElement('canvas');
    canvas.width = Math.floor(viewport.width);
    // A page may be a strip of any length.
    canvas.height = Math.min(Math.floor(viewport.height), 4 * canvas.width);
    canvas.setAttribute('aria-hidden', 'true');
    await page.render({ canvas, viewport }).promise;
    button.prepend(canvas);
  }
}

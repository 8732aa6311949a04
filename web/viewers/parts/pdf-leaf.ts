import {
  type PDFDocumentProxy,
  type PDFPageProxy,
  type RenderTask,
  TextLayer,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
import { addLinks } from './pdf-links.ts';

/** A canvas of more pixels fails on phones. */
const mostPixels = 16_000_000;

/** One page: a white sheet of the right size at once, its picture while it is near, its text for good. */
export class Leaf {
  readonly element = document.createElement('section');
  readonly #pdf: PDFDocumentProxy;
  readonly #number: number;
  #page: Promise<PDFPageProxy> | undefined;
  #letters: Promise<void> | undefined;
  #task: RenderTask | undefined;
  #canvas: HTMLCanvasElement | undefined;

  constructor(pdf: PDFDocumentProxy, number: number, size: { width: number; height: number }) {
    this.#pdf = pdf;
    this.#number = number;
    this.element.className = 'leaf';
    this.element.setAttribute('aria-label', `Page ${number}`);
    this.#resize(size);
  }

  /** Draws the page for a scale in CSS pixels per point; what was drawn before stays until then. */
  async draw(scale: number): Promise<void> {
    const page = await this.#open();
    this.#task?.cancel();
    const whole = page.getViewport({ scale: 1 });
    const most = Math.sqrt(mostPixels / (whole.width * whole.height));
    const viewport = page.getViewport({ scale: Math.min(scale * devicePixelRatio, most) });
    const canvas = document.createElement('canvas');
    canvas.width = Math.floor(viewport.width);
    canvas.height = Math.floor(viewport.height);
    canvas.setAttribute('aria-hidden', 'true');
    const task = page.render({ canvas, viewport });
    this.#task = task;
    try {
      await task.promise;
    } catch (error) {
      if (error instanceof Error && error.name === 'RenderingCancelledException') return;
      throw error;
    }
    if (this.#task !== task) return;
    this.#canvas?.remove();
    this.#canvas = canvas;
    this.element.prepend(canvas);
    await this.write();
  }

  /** Gives back the memory of its picture. */
  clear(): void {
    this.#task?.cancel();
    this.#task = undefined;
    if (this.#canvas === undefined) return;
    this.#canvas.width = 0;
    this.#canvas.remove();
    this.#canvas = undefined;
  }

  /** Puts the text in place, so that it can be selected, read aloud and found. */
  write(): Promise<void> {
    this.#letters ??= this.#open().then((page) => this.#writeFrom(page));
    return this.#letters;
  }

  async #writeFrom(page: PDFPageProxy): Promise<void> {
    const container = document.createElement('div');
    container.className = 'letters';
    const viewport = page.getViewport({ scale: 1 });
    const layer = new TextLayer({
      textContentSource: page.streamTextContent({ includeMarkedContent: true }),
      container,
      viewport,
    });
    await layer.render();
    this.element.append(container);
    await addLinks(this.#pdf, page, this.element);
  }

  #open(): Promise<PDFPageProxy> {
    this.#page ??= this.#pdf.getPage(this.#number).then((page) => {
      this.#resize(page.getViewport({ scale: 1 }));
      return page;
    });
    return this.#page;
  }

  #resize({ width, height }: { width: number; height: number }): void {
    this.element.style.setProperty('--wide', String(width));
    this.element.style.setProperty('--high', String(height));
  }
}

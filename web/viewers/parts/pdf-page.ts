import {
  type PDFDocumentProxy,
  type PDFPageProxy,
  type RenderTask,
  TextLayer,
} from 'pdfjs-dist/legacy/build/pdf.mjs';

/** A canvas of more pixels fails on phones. */
const mostPixels = 16_000_000;

/**
 * One page. It is a blank sheet of the right size at first, has its picture only while it is near
 * the viewport, and keeps its text.
 */
export class PdfPageView {
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

/** Lays a page's links over it: to other pages of the document, and to addresses that only lead somewhere. */
async function addLinks(
  pdf: PDFDocumentProxy,
  page: PDFPageProxy,
  leaf: HTMLElement,
): Promise<void> {
  const viewport = page.getViewport({ scale: 1 });
  for (const annotation of await page.getAnnotations({ intent: 'display' })) {
    if (annotation.subtype !== 'Link') continue;
    const link = await linkTo(pdf, annotation);
    if (link === undefined) continue;
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = viewport.convertToViewportRectangle(annotation.rect);
    link.style.left = `${(100 * Math.min(x1, x2)) / viewport.width}%`;
    link.style.top = `${(100 * Math.min(y1, y2)) / viewport.height}%`;
    link.style.width = `${(100 * Math.abs(x2 - x1)) / viewport.width}%`;
    link.style.height = `${(100 * Math.abs(y2 - y1)) / viewport.height}%`;
    leaf.append(link);
  }
}

interface Target {
  url?: unknown;
  dest?: unknown;
}

async function linkTo(
  pdf: PDFDocumentProxy,
  { url, dest }: Target,
): Promise<HTMLAnchorElement | undefined> {
  const link = document.createElement('a');
  if (typeof url === 'string' && /^(?:https?|mailto|tel):/i.test(url)) {
    link.href = url;
    link.target = '_blank';
    link.rel = 'nofollow noopener noreferrer';
    link.title = url;
    return link;
  }
  const number = await pageNumberOf(pdf, dest);
  if (number === undefined) return undefined;
  link.href = `#page=${number}`;
  link.title = `Page ${number}`;
  return link;
}

async function pageNumberOf(pdf: PDFDocumentProxy, dest: unknown): Promise<number | undefined> {
  try {
    const found: unknown = typeof dest === 'string' ? await pdf.getDestination(dest) : dest;
    const first: unknown = Array.isArray(found) ? found[0] : undefined;
    if (typeof first === 'number') return first + 1;
    return isReference(first) ? (await pdf.getPageIndex(first)) + 1 : undefined;
  } catch {
    return undefined;
  }
}

function isReference(value: unknown): value is { num: number; gen: number } {
  return typeof value === 'object' && value !== null && 'num' in value && 'gen' in value;
}

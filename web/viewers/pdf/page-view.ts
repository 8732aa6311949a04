import {
  AnnotationMode,
  type PDFDocumentProxy,
  type PDFPageProxy,
  type RenderTask,
  TextLayer,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
import { type Annotation, layAnnotations } from './annotations.ts';
import { fieldsAmong, layFields } from './form-fields.ts';
import { layXfaPage } from './xfa-page.ts';

/** A canvas of more pixels fails on phones. */
const mostPixels = 16_000_000;

/** Characters of a page's text; line feeds are not counted. */
export interface TextPart {
  at: number;
  length: number;
}

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
  /**
   * Increases when drawing starts and when the picture is removed: drawing that began before is out
   * of date.
   */
  #generation = 0;
  #annotations: Promise<Annotation[]> | undefined;
  /** The nodes of its text, in the order in which it is searched, and what is searched in each. */
  #texts: readonly { node: Node | null; text: string }[] = [];

  constructor(pdf: PDFDocumentProxy, number: number, size: { width: number; height: number }) {
    this.#pdf = pdf;
    this.#number = number;
    this.element.className = 'leaf';
    this.element.setAttribute('aria-label', `Page ${number}`);
    this.#resize(size);
  }

  /** Draws the page for a scale in CSS pixels per point; what was drawn before stays until then. */
  async draw(scale: number): Promise<void> {
    this.#generation += 1;
    const generation = this.#generation;
    const page = await this.#open();
    if (this.#pdf.isPureXfa) return this.write();
    const fields = fieldsAmong(await this.#annotationsOf(page));
    if (this.#generation !== generation) return;
    this.#task?.cancel();
    const whole = page.getViewport({ scale: 1 });
    const most = Math.sqrt(mostPixels / (whole.width * whole.height));
    const viewport = page.getViewport({ scale: Math.min(scale * devicePixelRatio, most) });
    const canvas = document.createElement('canvas');
    canvas.width = Math.floor(viewport.width);
    canvas.height = Math.floor(viewport.height);
    canvas.setAttribute('aria-hidden', 'true');
    // Fields that are laid over the picture must not be in it too.
    const annotationMode = fields.length > 0 ? AnnotationMode.ENABLE_FORMS : AnnotationMode.ENABLE;
    const task = page.render({ canvas, viewport, annotationMode });
    this.#task = task;
    try {
      await task.promise;
    } catch (error) {
      if (error instanceof Error && error.name === 'RenderingCancelledException') return;
      throw error;
    }
    if (this.#generation !== generation) return;
    this.#canvas?.remove();
    this.#canvas = canvas;
    this.element.prepend(canvas);
    await this.write();
  }

  /** Gives back the memory of its picture. */
  clear(): void {
    this.#generation += 1;
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

  #annotationsOf(page: PDFPageProxy): Promise<Annotation[]> {
    this.#annotations ??= page.getAnnotations({ intent: 'display' });
    return this.#annotations;
  }

  async #writeFrom(page: PDFPageProxy): Promise<void> {
    if (this.#pdf.isPureXfa) {
      const { element, texts } = await layXfaPage(this.#pdf, page);
      this.element.append(element);
      this.#texts = texts.map((node) => ({ node, text: node.data }));
      return;
    }
    const container = document.createElement('div');
    container.className = 'letters';
    const viewport = page.getViewport({ scale: 1 });
    const layer = new TextLayer({
      // Not normalized, so that the places that a search finds are those of the text here.
      textContentSource: page.streamTextContent({
        includeMarkedContent: true,
        disableNormalization: true,
      }),
      container,
      viewport,
    });
    await layer.render();
    this.element.append(container);
    this.#texts = layer.textContentItemsStr.map((text, index) => ({
      node: layer.textDivs[index]?.firstChild ?? null,
      text,
    }));
    const all = await this.#annotationsOf(page);
    const fields = fieldsAmong(all);
    // Without elements for the fields, the picture shows them.
    const annotations = fields.length > 0 ? all : all.filter(({ subtype }) => subtype !== 'Widget');
    await layAnnotations(this.#pdf, page, { annotations, leaf: this.element });
    if (fields.length > 0) this.element.append(await layFields(this.#pdf, page, fields));
  }

  /** Where these parts of the page's text are; empty until the text is in place. */
  rangesOf(parts: readonly TextPart[]): Range[] {
    const ranges: Range[] = [];
    let item = 0;
    let start = 0;
    /** The element and the offset in it; parts come in order, so that nothing is looked at twice. */
    const place = (at: number, isEnd: boolean): [Node, number] | undefined => {
      for (; item < this.#texts.length; item += 1) {
        const length = this.#texts[item]?.text.length ?? 0;
        if (at < start + length || (isEnd && at === start + length)) break;
        start += length;
      }
      const node = this.#texts[item]?.node;
      return node ? [node, at - start] : undefined;
    };
    for (const { at, length } of parts) {
      const first = place(at, false);
      const last = place(at + length, true);
      if (first === undefined || last === undefined) continue;
      const range = document.createRange();
      range.setStart(...first);
      range.setEnd(...last);
      ranges.push(range);
    }
    return ranges;
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

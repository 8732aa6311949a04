import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { unhide } from '../parts/viewer-root.ts';
import { attachmentButton } from './attachments.ts';
import type { FieldAnnotation } from './form-fields.ts';
import { linkOutside, pageNumberOf } from './targets.ts';

/** What is read of an annotation; pdf.js gives each as an object of its own shape. */
export interface Annotation extends FieldAnnotation {
  rect: number[];
  url?: unknown;
  dest?: unknown;
  contentsObj?: { str?: unknown };
  titleObj?: { str?: unknown };
  file?: object;
}

/** Annotations that only play in Acrobat (ISO 32000-2, table 171), and what to call them. */
const players: Record<string, string> = {
  Movie: 'film',
  Sound: 'sound',
  Screen: 'recording',
  RichMedia: 'recording',
  '3D': '3D model',
};

/** A page has its first annotations only: each is an element of the document. */
const mostAnnotations = 1000;

/** Lays over a page what its picture cannot do: links, notes to open, and why something does not play. */
export async function layAnnotations(
  pdf: PDFDocumentProxy,
  page: PDFPageProxy,
  { annotations, leaf }: { annotations: readonly Annotation[]; leaf: HTMLElement },
): Promise<void> {
  const viewport = page.getViewport({ scale: 1 });
  for (const annotation of annotations.slice(0, mostAnnotations)) {
    const shown = await elementOf(pdf, annotation);
    if (shown === undefined) continue;
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = viewport.convertToViewportRectangle(annotation.rect);
    const left = (100 * Math.min(x1, x2)) / viewport.width;
    shown.style.left = `${left}%`;
    shown.style.top = `${(100 * Math.min(y1, y2)) / viewport.height}%`;
    shown.style.width = `${(100 * Math.abs(x2 - x1)) / viewport.width}%`;
    shown.style.height = `${(100 * Math.abs(y2 - y1)) / viewport.height}%`;
    shown.classList.toggle('at-right', left > 50);
    leaf.append(shown);
  }
}

async function elementOf(
  pdf: PDFDocumentProxy,
  annotation: Annotation,
): Promise<HTMLElement | undefined> {
  const subtype = String(annotation.subtype);
  if (subtype === 'Link') return linkTo(pdf, annotation);
  const player = players[subtype];
  if (player !== undefined) return boxFor(`This ${player} plays only in Adobe Acrobat.`);
  if (subtype === 'FileAttachment') {
    const save = attachmentButton(annotation.file);
    return save && noteOf(save, 'Attached file');
  }
  if (subtype === 'Widget') return uncountedField(annotation);
  return subtype === 'Popup' ? undefined : writtenNote(annotation);
}

function writtenNote({ contentsObj, titleObj }: Annotation): HTMLElement | undefined {
  const text = contentsObj?.str;
  const author = titleObj?.str;
  if (typeof text !== 'string' || text.trim() === '') return undefined;
  return noteOf(text, typeof author === 'string' && author !== '' ? `Note by ${author}` : 'Note');
}

async function linkTo(
  pdf: PDFDocumentProxy,
  { url, dest }: Annotation,
): Promise<HTMLElement | undefined> {
  const outside = linkOutside(url);
  if (outside !== undefined) return outside;
  const number = await pageNumberOf(pdf, dest);
  if (number === undefined) return undefined;
  const link = document.createElement('a');
  link.href = `#page=${number}`;
  link.title = `Page ${number}`;
  return link;
}

/** A field with more choices than a page may have is text, and the page says why. */
function uncountedField({ shownText }: Annotation): HTMLElement | undefined {
  if (typeof shownText !== 'string') return undefined;
  unhide('#uncounted');
  const field = document.createElement('p');
  field.className = 'uncounted';
  field.textContent = shownText;
  return field;
}

/** Says in its place why something does not play. */
function boxFor(text: string): HTMLElement {
  const box = document.createElement('p');
  box.className = 'unplayed';
  box.textContent = text;
  return box;
}

/** A note that opens where it was made, by a pointer, a finger or the Enter key. */
function noteOf(content: string | HTMLElement, name: string): HTMLElement {
  const note = document.createElement('details');
  note.className = 'comment';
  const mark = document.createElement('summary');
  mark.setAttribute('aria-label', name);
  mark.title = name;
  const body = document.createElement('p');
  body.append(content);
  note.append(mark, body);
  return note;
}

import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** Lays a page's links over it: to other pages of the document, and to addresses that only lead somewhere. */
export async function addLinks(
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
  const number = await pageOf(pdf, dest);
  if (number === undefined) return undefined;
  link.href = `#page=${number}`;
  link.title = `Page ${number}`;
  return link;
}

async function pageOf(pdf: PDFDocumentProxy, dest: unknown): Promise<number | undefined> {
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

import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** A link to an address that only leads somewhere; `undefined` for any other, such as a script. */
export function linkOutside(url: unknown): HTMLAnchorElement | undefined {
  if (typeof url !== 'string' || !/^(?:https?|mailto|tel):/i.test(url)) return undefined;
  const link = document.createElement('a');
  link.href = url;
  link.target = '_blank';
  link.rel = 'nofollow noopener noreferrer';
  link.title = url;
  return link;
}

/** The number of the page that a destination of the document names, from 1. */
export async function pageNumberOf(
  pdf: PDFDocumentProxy,
  destination: unknown,
): Promise<number | undefined> {
  try {
    const found: unknown =
      typeof destination === 'string' ? await pdf.getDestination(destination) : destination;
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

import {
  type PDFDocumentProxy,
  type PDFPageProxy,
  XfaLayer,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
import { linkOutside } from './targets.ts';
import type { XfaNode } from './bounds/xfa-bounds.ts';
import { xfaStyle } from './xfa-style.ts';

/**
 * The part of the library's layer that is used here. Its own type also requires the library's
 * viewer.
 */
const layer: { render(parameters: object): { textDivs: Text[] } } = XfaLayer;

let sheet: CSSStyleSheet | undefined;

/** Only such documents need its styles. */
function adoptStyles(): void {
  if (sheet !== undefined) return;
  sheet = new CSSStyleSheet();
  sheet.replaceSync(xfaStyle);
  document.adoptedStyleSheets.push(sheet);
}

/** A page of an XFA form as elements, and its texts in the order in which they are searched. */
export async function layXfaPage(
  pdf: PDFDocumentProxy,
  page: PDFPageProxy,
): Promise<{ element: HTMLElement; texts: Text[] }> {
  adoptStyles();
  const element = document.createElement('div');
  element.className = 'xfa';
  const xfaHtml: XfaNode | null = await page.getXfa();
  if (xfaHtml === null) return { element, texts: [] };
  if (xfaHtml.isCut) {
    element.textContent = 'This page has too many parts to be shown here.';
    return { element, texts: [] };
  }
  const div = document.createElement('div');
  element.append(div);
  const { textDivs } = layer.render({
    viewport: page.getViewport({ scale: 1, dontFlip: true }),
    div,
    xfaHtml,
    annotationStorage: pdf.annotationStorage,
    linkService: { addLinkAttributes },
    intent: 'display',
  });
  // Its own numbers would put its fields before all controls of the page.
  for (const field of div.querySelectorAll('[tabindex]')) field.removeAttribute('tabindex');
  return { element, texts: textDivs };
}

function addLinkAttributes(link: HTMLAnchorElement, url: unknown): void {
  const outside = linkOutside(url);
  if (outside === undefined) return;
  for (const { name, value } of outside.attributes) link.setAttribute(name, value);
}

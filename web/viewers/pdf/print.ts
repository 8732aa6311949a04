import {
  AnnotationMode,
  type PDFDocumentProxy,
  type PDFPageProxy,
} from 'pdfjs-dist/legacy/build/pdf.mjs';

/** Each page becomes a picture of a few hundred kilobytes. */
export const mostPrintedPages = 300;
const dotsPerInch = 150;
const mostPixels = 16_000_000;

/**
 * Prints every page as a picture of it, as the viewer of pdf.js does: a browser would print the pages
 * near the viewport alone.
 * @param tell is told the number of pages that are ready
 */
export async function printDocument(
  pdf: PDFDocumentProxy,
  tell: (ready: number) => void,
): Promise<void> {
  const sheets = document.createElement('div');
  sheets.className = 'printed';
  const addresses: string[] = [];
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const image = await pictureOf(await pdf.getPage(number));
    addresses.push(image.src);
    sheets.append(image);
    tell(number);
  }
  const { width, height } = (await pdf.getPage(1)).getViewport({ scale: 1 });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`@page{size:${width}pt ${height}pt;margin:0}`);
  document.adoptedStyleSheets.push(sheet);
  document.body.append(sheets);
  const clear = () => {
    sheets.remove();
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
    for (const address of addresses) URL.revokeObjectURL(address);
  };
  addEventListener('afterprint', clear, { once: true });
  print();
}

async function pictureOf(page: PDFPageProxy): Promise<HTMLImageElement> {
  const { width, height } = page.getViewport({ scale: 1 });
  const most = Math.sqrt(mostPixels / (width * height));
  const viewport = page.getViewport({ scale: Math.min(dotsPerInch / 72, most) });
  const canvas = document.createElement('canvas');
  canvas.width = Math.floor(viewport.width);
  canvas.height = Math.floor(viewport.height);
  // With what was entered into its fields.
  const annotationMode = AnnotationMode.ENABLE_STORAGE;
  await page.render({ canvas, viewport, intent: 'print', annotationMode }).promise;
  const blob = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve);
  });
  canvas.width = 0;
  const image = new Image();
  image.alt = '';
  if (blob === null) return image;
  image.src = URL.createObjectURL(blob);
  await image.decode();
  return image;
}

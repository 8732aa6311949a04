import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { safeFileName } from '../parts/safe-file-name.ts';
import { saveFile } from '../parts/save-file.ts';

/** Each is an element of the document. */
const mostAttachments = 1000;

/** A button that saves an attached file, as pdf.js gives it; undefined where it has no content. */
export function attachmentButton(file: unknown): HTMLButtonElement | undefined {
  // A page that offers no download has no place for them.
  if (document.querySelector('[data-attachments]') === null) return undefined;
  if (typeof file !== 'object' || file === null) return undefined;
  const content: unknown = Reflect.get(file, 'content');
  const filename: unknown = Reflect.get(file, 'filename');
  if (!(content instanceof Uint8Array)) return undefined;
  const name = safeFileName(typeof filename === 'string' ? filename : '');
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = `Save ${name}`;
  button.addEventListener('click', () => saveFile(name, new Uint8Array(content)));
  return button;
}

/** Buttons for the files that are attached to the document as a whole. */
export async function attachmentButtons(pdf: PDFDocumentProxy): Promise<HTMLButtonElement[]> {
  const files: unknown = await pdf.getAttachments().catch(() => null);
  if (typeof files !== 'object' || files === null) return [];
  return Object.values(files)
    .slice(0, mostAttachments)
    .flatMap((file) => attachmentButton(file) ?? []);
}

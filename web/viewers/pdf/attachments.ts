import { safeFileName } from '../parts/safe-file-name.ts';
import { saveFile } from '../parts/save-file.ts';
import type { DocumentSource } from './document-options.ts';
import { TooSlowError, workApart } from './own-worker.ts';

/** Each is an element of the document. */
const mostAttachments = 1000;

/** A button that saves an attached file, as pdf.js gives it; undefined where it has no content. */
export function attachmentButton(file: unknown): HTMLButtonElement | undefined {
  // A page that offers no download has no place for them.
  if (document.querySelector('[data-attachments]') === null) return undefined;
  if (typeof file !== 'object' || file === null) return undefined;
  const content: unknown = Reflect.get(file, 'content');
  const filename: unknown = Reflect.get(file, 'filename');
  const isCut = Reflect.get(file, 'isCut') === true;
  if (!(content instanceof Uint8Array) && !isCut) return undefined;
  const name = safeFileName(typeof filename === 'string' ? filename : '');
  const button = document.createElement('button');
  button.type = 'button';
  if (content instanceof Uint8Array) {
    button.textContent = `Save ${name}`;
    button.addEventListener('click', () => saveFile(name, new Uint8Array(content)));
  } else {
    button.textContent = `${name} is too large to be saved here. Download the document to get it.`;
    button.disabled = true;
  }
  return button;
}

/**
 * Buttons for the files that are attached to the document as a whole, or a sentence that says why
 * there are none. pdf.js gives their names together with their bytes, and a few bytes may unpack to
 * gigabytes: a worker of its own reads them.
 */
export async function attachmentsOf(source: DocumentSource): Promise<(HTMLElement | string)[]> {
  try {
    const { result, end } = await workApart(source, false, (pdf) => pdf.getAttachments());
    end();
    const files: unknown = result;
    const buttons = Object.values(files ?? {})
      .slice(0, mostAttachments)
      .flatMap((file) => attachmentButton(file) ?? []);
    return buttons.length > 0 ? buttons : ['No files are attached to this document.'];
  } catch (error) {
    return [
      error instanceof TooSlowError
        ? 'The attached files take too long to read. Download the document to get them.'
        : 'The attached files could not be read. Download the document to get them.',
    ];
  }
}

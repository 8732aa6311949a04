import {
  getDocument,
  GlobalWorkerOptions,
  PasswordResponses,
  type PDFDocumentProxy,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
import { element } from '../parts/viewer-root.ts';
import { type DocumentSource, documentOptions } from './document-options.ts';
import { TooSlowError, workApart } from './own-worker.ts';
import { chunkBytes, RangeSource } from './range-source.ts';

/** A document that can be shown. */
export interface OpenDocument {
  pdf: PDFDocumentProxy;
  /** With the password that somebody entered. */
  source: DocumentSource;
  /** Its XFA form takes too long, so it is shown without. */
  isFormTooSlow: boolean;
}

/** Opens a document, with its password if it has one; `failed` is called when a part does not arrive. */
export async function openDocument(
  given: DocumentSource,
  failed: (reason: unknown) => void,
): Promise<OpenDocument> {
  let source = given;
  GlobalWorkerOptions.workerSrc = source.worker;
  const task = getDocument({
    ...documentOptions(source),
    range: new RangeSource(source, failed),
    rangeChunkSize: chunkBytes,
  });
  task.onPassword = (answer: (password: string) => void, reason: number) => {
    askPassword((password) => {
      source = { ...given, password };
      answer(password);
    }, reason === PasswordResponses.INCORRECT_PASSWORD);
  };
  const pdf = await task.promise.catch((error: unknown) => {
    // Its worker would run on beside the page that says why nothing is shown.
    void task.destroy();
    throw error;
  });
  passwordForm.hidden = true;
  const drawn = { pdf, source, isFormTooSlow: false };
  if (!(await isXfaForm(pdf))) return drawn;
  try {
    const { result } = await workApart(source, true, (form) => Promise.resolve(form));
    void pdf.destroy();
    return { ...drawn, pdf: result };
  } catch (error) {
    // The document is shown without its form.
    return { ...drawn, isFormTooSlow: error instanceof TooSlowError };
  }
}

/** Whether it has an XFA form, and no other that could be shown. */
async function isXfaForm(pdf: PDFDocumentProxy): Promise<boolean> {
  // What the first page needs is fetched at the same time.
  const [{ info }] = await Promise.all([pdf.getMetadata(), pdf.getPage(1)]);
  const has = (name: string): boolean => Reflect.get(info, name) === true;
  return has('IsXFAPresent') && !has('IsAcroFormPresent');
}

const passwordForm = element('#locked', HTMLFormElement);

/** The password stays in this page: pdf.js opens the document here. */
function askPassword(answer: (password: string) => void, wasWrong: boolean): void {
  const field = element('#locked input', HTMLInputElement);
  passwordForm.hidden = false;
  element('.desk', HTMLElement).hidden = true;
  element('#locked output', HTMLOutputElement).value = wasWrong ? 'This password is wrong.' : '';
  field.value = '';
  field.focus();
  const send = (event: Event) => {
    event.preventDefault();
    answer(field.value);
  };
  // The field is required, so that nothing is sent while it is empty.
  passwordForm.addEventListener('submit', send, { once: true });
}

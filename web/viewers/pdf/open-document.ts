import {
  getDocument,
  GlobalWorkerOptions,
  PasswordResponses,
  type PDFDocumentProxy,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
import { element } from '../parts/viewer-root.ts';
import { chunkBytes, RangeSource } from './range-source.ts';

/** Where a document and what pdf.js needs are. */
export interface DocumentSource {
  file: string;
  bytes: number;
  /** The script of the worker that reads the document. */
  worker: string;
  /** The folder of fonts and decoders. */
  data: string;
}

/** Opens a document, with its password if it has one; `failed` is called when a part does not arrive. */
export async function openDocument(
  { file, bytes, worker, data }: DocumentSource,
  failed: (reason: unknown) => void,
): Promise<PDFDocumentProxy> {
  GlobalWorkerOptions.workerSrc = worker;
  const task = getDocument({
    range: new RangeSource(file, bytes, failed),
    rangeChunkSize: chunkBytes,
    disableAutoFetch: true,
    disableStream: true,
    isEvalSupported: false,
    // Ours look the same everywhere.
    useSystemFonts: false,
    enableXfa: true,
    cMapUrl: `${data}cmaps/`,
    cMapPacked: true,
    standardFontDataUrl: `${data}standard_fonts/`,
    wasmUrl: `${data}wasm/`,
    iccUrl: `${data}iccs/`,
  });
  task.onPassword = (answer: (password: string) => void, reason: number) => {
    askPassword(answer, reason === PasswordResponses.INCORRECT_PASSWORD);
  };
  const pdf = await task.promise;
  passwordForm.hidden = true;
  return pdf;
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

import { boundMessage } from './pdf/bounds/worker-bounds.ts';

/** The half of pdf.js that reads documents, apart from the page. What it sends is bounded. */
export * from 'pdfjs-dist/legacy/build/pdf.worker.mjs';

// Where there is no worker, pdf.js lets the page load this file.
if (typeof window === 'undefined') {
  const send = globalThis.postMessage.bind(globalThis);
  globalThis.postMessage = (message: unknown, ...rest: unknown[]) => {
    boundMessage(message);
    Reflect.apply(send, globalThis, [message, ...rest]);
  };
}

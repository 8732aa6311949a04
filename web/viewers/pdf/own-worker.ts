import { getDocument, type PDFDocumentProxy, PDFWorker } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { type DocumentSource, documentOptions } from './document-options.ts';
import { chunkBytes, RangeSource } from './range-source.ts';
import { WorkDeadline } from './work-deadline.ts';

/** How long a worker of its own may work for a document. */
const mostSeconds = 10;

/** What a worker of its own made of a document. */
export interface OwnWork<Result> {
  result: Result;
  /** Ends the worker; the document is closed then. */
  end: () => void;
}

/** It took longer than it may. */
export class TooSlowError extends Error {
  override readonly name = 'TooSlowError';
}

/**
 * Opens a document once more, in a worker of its own, and does something with it. A few bytes of
 * a document can keep pdf.js busy for hours, and a busy worker can only be ended.
 *
 * @param enableXfa whether the form is laid out while the document opens
 * @throws TooSlowError after 10 seconds of work, without the time in which it waits for bytes of the
 *   document and for fonts. The worker is ended then, as after any error
 */
export async function workApart<Result>(
  source: DocumentSource,
  enableXfa: boolean,
  work: (pdf: PDFDocumentProxy) => Promise<Result>,
): Promise<OwnWork<Result>> {
  const worker = new Worker(source.worker, { type: 'module' });
  const aborting = new AbortController();
  const end = () => {
    aborting.abort();
    worker.terminate();
  };
  try {
    const result = await new Promise<Result>((resolve, reject) => {
      const deadline = new WorkDeadline(mostSeconds, () => reject(new TooSlowError()));
      const open = async () => {
        // Its first message says that its script is loaded.
        worker.addEventListener('message', () => deadline.proceed(), { once: true });
        worker.addEventListener('error', () => reject(new Error('the worker failed')));
        const range = new RangeSource(source, reject, deadline);
        aborting.signal.addEventListener('abort', () => range.abort());
        const pdf = await getDocument({
          ...documentOptions(source),
          range,
          rangeChunkSize: chunkBytes,
          worker: PDFWorker.create({ port: worker }),
          enableXfa,
          useWorkerFetch: false,
          BinaryDataFactory: dataFactory(deadline),
        }).promise;
        return work(pdf);
      };
      open()
        .then(resolve, reject)
        .finally(() => deadline.end());
    });
    return { result, end };
  } catch (error) {
    end();
    throw error;
  }
}

/** Where pdf.js finds its fonts and decoders, by the names of its options. */
type DataAddresses = Readonly<Record<string, string>>;

/** A class, as pdf.js wants it, that gets fonts and decoders for a worker. */
function dataFactory(deadline: WorkDeadline): new (addresses: DataAddresses) => object {
  return class {
    readonly #addresses: DataAddresses;

    constructor(addresses: DataAddresses) {
      this.#addresses = addresses;
    }

    async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
      deadline.wait();
      try {
        const answer = await fetch(`${this.#addresses[kind]}${filename}`);
        if (!answer.ok) throw new Error(`status ${answer.status}`);
        return new Uint8Array(await answer.arrayBuffer());
      } finally {
        deadline.proceed();
      }
    }
  };
}

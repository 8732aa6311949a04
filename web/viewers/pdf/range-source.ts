import { PDFDataRangeTransport } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** The size of one range request; a page needs a few of them. */
export const chunkBytes = 512 * 1024;

/** Told when a worker waits for a range, and when it can proceed. */
interface Waiting {
  wait(): void;
  proceed(): void;
}

/** Sends pdf.js the ranges that it requests, and nothing in advance. */
export class RangeSource extends PDFDataRangeTransport {
  readonly #url: string;
  readonly #failed: (reason: unknown) => void;
  readonly #waiting: Waiting | undefined;
  readonly #aborting = new AbortController();

  constructor(
    { file, bytes }: { file: string; bytes: number },
    failed: (reason: unknown) => void,
    waiting?: Waiting,
  ) {
    super(bytes, null);
    this.#url = file;
    this.#failed = failed;
    this.#waiting = waiting;
  }

  override requestDataRange(begin: number, end: number): void {
    this.#waiting?.wait();
    fetchRange(this.#url, { begin, end }, this.#aborting.signal)
      .then((chunk) => this.onDataRange(begin, chunk), this.#failed)
      .finally(() => this.#waiting?.proceed());
  }

  override abort(): void {
    this.#aborting.abort();
  }
}

/** `end` is the first byte that is not wanted. */
async function fetchRange(
  url: string,
  { begin, end }: { begin: number; end: number },
  signal: AbortSignal,
): Promise<Uint8Array> {
  const answer = await fetch(url, { headers: { range: `bytes=${begin}-${end - 1}` }, signal });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  const bytes = new Uint8Array(await answer.arrayBuffer());
  return answer.status === 206 ? bytes : bytes.subarray(begin, end);
}

import compressions from 'jszip/lib/compressions.js';
import GenericWorker, { type Chunk } from 'jszip/lib/stream/GenericWorker.js';
import { createInflateRaw } from 'node:zlib';

/** The deflate stream ended before the data did. */
export class HiddenBytes extends Error {}

/**
 * Inflates with zlib, and fails with {@link HiddenBytes} unless the deflate stream ends with the
 * last byte of the data. JSZip's own inflater cannot tell (decision 0041).
 */
class ExactInflate extends GenericWorker {
  readonly #inflater = createInflateRaw({ chunkSize: 64 * 1024 });
  /** Views of the compressed data, which is in memory already. */
  readonly #chunks: Chunk[] = [];

  constructor() {
    super('ExactInflate');
    const meta = { percent: 100 };
    this.#inflater
      // JSZip would copy a Buffer byte by byte.
      .on('data', (data: Buffer) => this.push({ data: withoutBufferType(data), meta }))
      .on('error', (error) => this.error(error))
      .on('end', () => this.#finish());
  }

  override processChunk(chunk: Chunk): void {
    this.#chunks.push(chunk);
  }

  /** Inflates only now: zlib may end before all data has come, which would look complete. */
  override end(): boolean {
    for (const { data } of this.#chunks) this.#inflater.write(data);
    this.#inflater.end();
    return true;
  }

  #finish(): void {
    const length = this.#chunks.reduce((sum, { data }) => sum + data.length, 0);
    if (this.#inflater.bytesWritten === length) super.end();
    else this.error(new HiddenBytes());
  }

  override pause(): boolean {
    this.#inflater.pause();
    return super.pause();
  }

  override resume(): boolean {
    this.#inflater.resume();
    return super.resume();
  }
}

function withoutBufferType({ buffer, byteOffset, length }: Buffer): Uint8Array {
  return new Uint8Array(buffer, byteOffset, length);
}

/**
 * The compression method that makes JSZip inflate an entry so. APPNOTE gives this number to no
 * method, so archives of others never have it.
 */
export const exactDeflate = 0x7a7a;

compressions['EXACT_DEFLATE'] = {
  magic: String.fromCharCode(exactDeflate & 0xff, exactDeflate >> 8),
  uncompressWorker: () => new ExactInflate(),
};

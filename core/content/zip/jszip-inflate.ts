import compressions from 'jszip/lib/compressions.js';
import GenericWorker, { type Chunk } from 'jszip/lib/stream/GenericWorker.js';
import { createInflateRaw } from 'node:zlib';
import { HiddenBytes, inflateAtOnce, maxBytesAtOnce } from './inflate-at-once.ts';

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

/** The same for content of up to {@link maxBytesAtOnce} bytes, in one call. */
class ExactInflateAtOnce extends GenericWorker {
  readonly #chunks: Uint8Array[] = [];

  constructor() {
    super('ExactInflateAtOnce');
  }

  override processChunk({ data }: Chunk): void {
    this.#chunks.push(data);
  }

  override end(): boolean {
    try {
      const [only, ...others] = this.#chunks;
      const isOne = only !== undefined && others.length === 0;
      const data = inflateAtOnce(isOne ? only : Buffer.concat(this.#chunks), maxBytesAtOnce);
      this.push({ data: withoutBufferType(data), meta: { percent: 100 } });
      return super.end();
    } catch (error) {
      return this.error(error);
    }
  }
}

/**
 * The compression method that makes JSZip inflate an entry so that has at most this size, packed and unpacked. APPNOTE gives these numbers
 * to no method, so archives of others never have them.
 */
export function exactDeflate(bytes: number): number {
  return bytes <= maxBytesAtOnce ? methods.atOnce : methods.streamed;
}

const methods = { streamed: 0x7a7a, atOnce: 0x7a7b };

compressions['EXACT_DEFLATE'] = {
  magic: magicOf(methods.streamed),
  uncompressWorker: () => new ExactInflate(),
};
compressions['EXACT_DEFLATE_AT_ONCE'] = {
  magic: magicOf(methods.atOnce),
  uncompressWorker: () => new ExactInflateAtOnce(),
};

function magicOf(method: number): string {
  return String.fromCharCode(method & 0xff, method >> 8);
}

import { S3Error } from '../protocol/s3-error.ts';

/** Reads a body up to delimiters; holds at most one piece and a delimiter in memory. */
export interface ByteReader {
  /** The next bytes, at most `max`; empty at the end. */
  read(max: number): Promise<Buffer>;
  /** Everything before the delimiter, which is skipped; `IncompleteBody` if there is none. */
  readUntil(delimiter: Buffer): AsyncGenerator<Buffer>;
  /** Everything before the delimiter as one buffer; throws `tooLong()` over `maxBytes`. */
  readShort(delimiter: Buffer, maxBytes: number, tooLong: () => S3Error): Promise<Buffer>;
}

/** A reader over the pieces of a body. */
export function byteReader(source: AsyncIterable<Buffer>): ByteReader {
  const pieces = source[Symbol.asyncIterator]();
  let held: Buffer = Buffer.alloc(0);

  async function more(): Promise<boolean> {
    const next = await pieces.next();
    if (next.done === true) return false;
    held = held.length === 0 ? next.value : Buffer.concat([held, next.value]);
    return true;
  }

  function cut(length: number, skip = 0): Buffer {
    const piece = held.subarray(0, length);
    held = held.subarray(length + skip);
    return piece;
  }

  async function* until(delimiter: Buffer): AsyncGenerator<Buffer> {
    for (;;) {
      const at = held.indexOf(delimiter);
      if (at !== -1) {
        yield cut(at, delimiter.length);
        return;
      }
      const ready = held.length - delimiter.length + 1;
      if (ready > 0) yield cut(ready);
      if (!(await more())) throw new S3Error('IncompleteBody');
    }
  }

  return {
    readUntil: until,
    async read(max) {
      while (held.length === 0) {
        if (!(await more())) break;
      }
      return cut(Math.min(max, held.length));
    },
    async readShort(delimiter, maxBytes, tooLong) {
      const collected: Buffer[] = [];
      let size = 0;
      for await (const piece of until(delimiter)) {
        size += piece.length;
        if (size > maxBytes) throw tooLong();
        collected.push(piece);
      }
      return Buffer.concat(collected);
    },
  };
}

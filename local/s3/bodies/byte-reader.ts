import { S3Error } from '../protocol/s3-error.ts';

/** Reads a body piece by piece up to delimiters; never holds more than one piece and a delimiter. */
export interface ByteReader {
  /** Up to `max` bytes of what comes next; empty at the end. */
  take(max: number): Promise<Buffer>;
  /** All before the delimiter, which is swallowed; `IncompleteBody` when it never comes. */
  until(delimiter: Buffer): AsyncGenerator<Buffer>;
  /** One short stretch up to the delimiter in one piece, or the given refusal when it is longer. */
  short(delimiter: Buffer, maxBytes: number, tooLong: () => S3Error): Promise<Buffer>;
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
    until,
    async take(max) {
      while (held.length === 0) {
        if (!(await more())) break;
      }
      return cut(Math.min(max, held.length));
    },
    async short(delimiter, maxBytes, tooLong) {
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

import { StringDecoder } from 'node:string_decoder';

interface LineSplitter {
  write(chunk: Buffer | string): void;
  /** Hands on what came after the last line break. */
  end(): void;
}

/** Cuts a byte stream into lines, keeping characters whole that span two chunks. */
export function lineSplitter(onLine: (line: string) => void): LineSplitter {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  return {
    write(chunk) {
      const lines = (rest + (typeof chunk === 'string' ? chunk : decoder.write(chunk))).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) onLine(line);
    },
    end() {
      const last = rest + decoder.end();
      rest = '';
      if (last !== '') onLine(last);
    },
  };
}

interface LineSplitter {
  write(text: string): void;
  /** Hands on what came after the last line break. */
  end(): void;
}

/** Cuts a stream of text into lines. */
export function lineSplitter(onLine: (line: string) => void): LineSplitter {
  let rest = '';
  return {
    write(text) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) onLine(line);
    },
    end() {
      if (rest !== '') onLine(rest);
      rest = '';
    },
  };
}

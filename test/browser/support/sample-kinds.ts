import type { Sight } from './watch.ts';

/** A file that would do harm, and what is seen instead. */
export interface HostileFile {
  name: string;
  make: () => Promise<Buffer> | Buffer;
  /** Buttons that are pressed before, by their names. */
  press?: readonly string[];
  see: Sight;
  /** The most elements of a kind that the page may have, by selector. */
  most?: Readonly<Record<string, number>>;
  /** Workers that stay while the page is open: that of a PDF reads its other pages. */
  workers?: number;
  /** Its page waits a fifth of the time that it gives to work: another file proves the whole time. */
  isDeadlineShort?: boolean;
}

export interface CorpusFile {
  name: string;
  bytes: Buffer;
  see: Sight;
}

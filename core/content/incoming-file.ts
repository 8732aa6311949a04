/** One file of an upload on its way into storage. */
export interface IncomingFile {
  path: string;
  /** Bytes; exact. */
  size: number;
  /** May be read once. */
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

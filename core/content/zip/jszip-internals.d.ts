// The parts of JSZip 3.10 that `jszip-inflate.ts` uses. They are not in its published types.

declare module 'jszip/lib/stream/GenericWorker.js' {
  export interface Chunk {
    data: Uint8Array;
    meta: { percent: number };
  }

  /** One step of a chain that passes chunks on. */
  export default class GenericWorker {
    constructor(name: string);
    processChunk(chunk: Chunk): void;
    push(chunk: Chunk): void;
    end(): boolean;
    error(error: unknown): boolean;
    pause(): boolean;
    resume(): boolean;
  }
}

declare module 'jszip/lib/compressions.js' {
  import type GenericWorker from 'jszip/lib/stream/GenericWorker.js';

  interface Compression {
    /** The number of the method as it stands in a header: two bytes, little-endian. */
    magic: string;
    uncompressWorker(): GenericWorker;
  }

  const compressions: Record<string, Compression>;
  export default compressions;
}

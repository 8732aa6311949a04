/** pdf.js brings no types for its worker; it is imported only for its effect. */
declare module 'pdfjs-dist/legacy/build/pdf.worker.mjs';

/** Nor for its decoders of pictures. */
declare module 'pdfjs-dist/legacy/image_decoders/pdf.image_decoders.mjs' {
  export const JpxImage: {
    setOptions(options: { useWasm: boolean; useWorkerFetch: boolean; wasmUrl: string }): void;
    parseImageProperties(bytes: Uint8Array): { width: number; height: number };
    /** Without `numComponents`, RGBA is given. */
    decode(
      bytes: Uint8Array,
      options: { numComponents: 0 },
    ): Promise<Uint8ClampedArray<ArrayBuffer>>;
  };
}

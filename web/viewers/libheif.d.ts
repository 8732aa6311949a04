/** The parts of `libheif-js` that we use; its types name functions of libheif alone. */
declare module 'libheif-js/libheif-wasm/libheif.js' {
  interface HeifImage {
    get_width(): number;
    get_height(): number;
    /** Fills `data` with RGBA; gives `null` to `done` if it cannot be decoded. */
    display<Target extends { data: Uint8ClampedArray; width: number; height: number }>(
      target: Target,
      done: (shown: Target | null) => void,
    ): void;
  }
  interface Library {
    HeifDecoder: new () => { decode(bytes: Uint8Array): HeifImage[] };
  }
  export default function libheif(options: { wasmBinary: ArrayBuffer }): Promise<Library>;
}

/** The parts of `libheif-js` that we use; its types name functions of libheif alone. */
declare module 'libheif-js/libheif-wasm/libheif.js' {
  interface HeifImage {
    handle: unknown;
    /** Fills `data` with RGBA; gives `null` to `done` if it cannot be decoded. */
    display<Target extends { data: Uint8ClampedArray; width: number; height: number }>(
      target: Target,
      done: (shown: Target | null) => void,
    ): void;
  }
  interface Library {
    heif_image_handle_get_width(handle: unknown): number;
    heif_image_handle_get_height(handle: unknown): number;
    HeifDecoder: new () => { decode(bytes: Uint8Array): HeifImage[] };
  }
  export default function libheif(options: { wasmBinary: ArrayBuffer }): Promise<Library>;
}

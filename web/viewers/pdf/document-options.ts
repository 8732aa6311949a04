/** Where a document and what pdf.js needs are. */
export interface DocumentSource {
  file: string;
  bytes: number;
  /** The script of the worker that reads the document. */
  worker: string;
  /** The folder of fonts and decoders. */
  data: string;
  password?: string;
}

/** How pdf.js reads every document: parts of it as they are needed, and no code of it runs. */
export function documentOptions({ data, password }: DocumentSource) {
  return {
    ...(password !== undefined && { password }),
    disableAutoFetch: true,
    disableStream: true,
    isEvalSupported: false,
    // Ours look the same everywhere.
    useSystemFonts: false,
    cMapUrl: `${data}cmaps/`,
    cMapPacked: true,
    standardFontDataUrl: `${data}standard_fonts/`,
    wasmUrl: `${data}wasm/`,
    iccUrl: `${data}iccs/`,
  };
}

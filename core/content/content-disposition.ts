import { baseName } from './media-type.ts';

/** `inline` with the file's own name, so that saving a shown file keeps it (RFC 6266, RFC 8187). */
export function inlineDisposition(path: string): string {
  return `inline; ${encodedFileName(baseName(path))}`;
}

/** `attachment` under this name. */
export function attachmentDisposition(name: string): string {
  return `attachment; ${encodedFileName(name)}`;
}

function encodedFileName(name: string): string {
  return `filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, percentEncode)}`;
}

function percentEncode(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

import mime from 'mime';
import { extensionOf } from './file-name.ts';

/** `.ts` is a program to us, not an MPEG stream; the rest the list lacks or names what browsers download. */
const corrections = new Map([
  ['ts', 'text/plain'],
  ['mts', 'text/plain'],
  ['cts', 'text/plain'],
  ['tsx', 'text/plain'],
  ['jsx', 'text/plain'],
  ['py', 'text/x-python'],
]);

/** Types that are text though not under `text/`; they are sent as UTF-8 (RFC 8259, RFC 9239). */
const textual =
  /^(?:text\/.*|application\/(?:javascript|json|.*\+json|xml|.*\+xml)|image\/svg\+xml)$/;

/** The Content-Type for a file, from its name alone; never guessed from its bytes. */
export function mediaType(path: string): string {
  const extension = extensionOf(path);
  const type = corrections.get(extension) ?? mime.getType(extension) ?? 'application/octet-stream';
  return textual.test(type) ? `${type}; charset=utf-8` : type;
}

/** Whether the file is an HTML page by its name. */
export function isHtml(path: string): boolean {
  const extension = extensionOf(path);
  return extension === 'html' || extension === 'htm';
}

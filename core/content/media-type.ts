import other from 'mime/types/other.js';
import standard from 'mime/types/standard.js';
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

/** Made at the first file and by ourselves: the package makes it at once, with more than is needed here. */
let known: Map<string, string> | undefined;

/** Types by extension; one with an asterisk is the second name of what another type is first for. */
function knownTypes(): Map<string, string> {
  const types = new Map<string, string>();
  for (const [type, extensions] of [...Object.entries(standard), ...Object.entries(other)]) {
    for (const extension of extensions) {
      if (!extension.startsWith('*')) types.set(extension, type);
    }
  }
  return types;
}

/** The Content-Type for a file, from its name alone; never guessed from its bytes. */
export function mediaType(path: string): string {
  const extension = extensionOf(path);
  known ??= knownTypes();
  const type = corrections.get(extension) ?? known.get(extension) ?? 'application/octet-stream';
  return textual.test(type) ? `${type}; charset=utf-8` : type;
}

/** Whether the file is an HTML page by its name. */
export function isHtml(path: string): boolean {
  const extension = extensionOf(path);
  return extension === 'html' || extension === 'htm';
}

const active = /^(?:text\/html|text\/xsl|application\/xhtml|[^;]*[/+]xml)/i;

/** Whether a browser that opens it builds a document in which something may run. */
export function isActive(contentType: string): boolean {
  return active.test(contentType);
}

import other from 'mime/types/other.js';
import standard from 'mime/types/standard.js';
import { corrections, typeOfName } from './type-corrections.ts';
import type { WrittenFormat } from './format-marks.ts';

/** Text types outside `text/`; they are sent as UTF-8 (RFC 8259, RFC 9239). */
const textual =
  /^(?:text\/.*|application\/(?:javascript|json|jsonl|x-ndjson|.*\+json|xml|.*\+xml)|image\/svg\+xml)$/;

/** Built on first use. The package's own map is built on import and is larger than needed here. */
let known: Map<string, string> | undefined;

/** Types by extension. An asterisk marks an extension for which another type has priority. */
function knownTypes(): Map<string, string> {
  const types = new Map<string, string>();
  for (const [type, extensions] of [...Object.entries(standard), ...Object.entries(other)]) {
    for (const extension of extensions) {
      if (!extension.startsWith('*')) types.set(extension, type);
    }
  }
  return types;
}

/** The type of a text file whose name does not tell its type. */
export const plainText = 'text/plain; charset=utf-8';

/**
 * The kind of a file as found in its bytes at publishing, where the name does not tell it or is
 * misleading.
 */
export interface ContentKind {
  /** Its name tells no type of project, or no media type, and its bytes are text; see `isText`. */
  isText?: true;
  /** Its extension is that of TypeScript, and its bytes are an MPEG transport stream. */
  isVideo?: true;
  /** It declares another encoding than UTF-8; see `declaredEncoding`. */
  hasOwnEncoding?: true;
  /** Its bytes are of another format than its name says; see `writtenFormat`. */
  format?: WrittenFormat;
  /** Its bytes are compressed; see `storedCoding`. */
  coding?: 'gzip' | 'br';
}

/** The Content-Type of a published file. */
export function typeOfFile(path: string, { isText, isVideo, hasOwnEncoding }: ContentKind): string {
  if (isVideo === true) return 'video/mp2t';
  // The header would win over the file's own words.
  if (hasOwnEncoding === true) return mediaType(path).replace(/; charset=utf-8$/, '');
  return isText === true && !hasKnownType(path) ? plainText : mediaType(path);
}

/** The Content-Type of a file, from its name only; its bytes are never inspected. */
export function mediaType(path: string): string {
  const extension = extensionOf(path);
  known ??= knownTypes();
  const type = typeOfName(path) ?? corrections.get(extension) ?? known.get(extension);
  if (type === undefined) return 'application/octet-stream';
  return textual.test(type) ? `${type}; charset=utf-8` : type;
}

/** Whether a file's name tells its type; `LICENSE` and `yarn.lock` do not. */
export function hasKnownType(path: string): boolean {
  const extension = extensionOf(path);
  known ??= knownTypes();
  return corrections.has(extension) || known.has(extension) || typeOfName(path) !== undefined;
}

/** The usual extension for a media type, parameters ignored; `undefined` if the type is not known. */
export function extensionFor(type: string): string | undefined {
  const [essence = ''] = type.toLowerCase().split(';');
  known ??= knownTypes();
  for (const [extension, one] of known) if (one === essence.trim()) return extension;
  return undefined;
}

/** Whether the name of a file is that of an HTML page. */
export function isHtml(path: string): boolean {
  const extension = extensionOf(path);
  return extension === 'html' || extension === 'htm';
}

/** Whether a page is the one that web servers show for its folder. */
export function isIndexPage(path: string): boolean {
  return /^index\.html?$/i.test(baseName(path));
}

const active = /^(?:text\/html|text\/xsl|application\/xhtml|[^;]*[/+]xml)/i;

/** Whether a browser may run scripts in a document of this type. */
export function canRunScripts(contentType: string): boolean {
  return active.test(contentType);
}

/** The lowercase extension without its dot; empty when there is none (`.htaccess` has none). */
export function extensionOf(path: string): string {
  const name = baseName(path);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase();
}

/** The last segment of a path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The last segment without its extension. */
export function stem(path: string): string {
  const name = baseName(path);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? name : name.slice(0, dot);
}

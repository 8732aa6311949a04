import { decodeSegment } from '../../site-rules/path-segment.ts';
import { composed } from '../../compose-text.ts';

/** A decoded request path: a file path without leading slash, and whether it names a folder. */
export interface RequestPath {
  /** `''` for the root; no leading or trailing slash; NFC. */
  path: string;
  folder: boolean;
}

// oxlint-disable-next-line no-control-regex -- the pattern must match control characters
const forbidden = /[\u0000-\u001f\u007f/\\]/;

/**
 * Reads a raw request path, or `undefined` where it cannot name a published file.
 *
 * Every segment is decoded once and on its own, so that `%2f`, `%5c` and `%2e%2e` never become
 * separators or parents: they only fail to name anything. Slashes that follow each other are one,
 * as at other hosts: pages often join addresses carelessly (`//contact`).
 */
export function readRequestPath(received: string): RequestPath | undefined {
  return readPath(received, fileSegment);
}

/**
 * Reads a raw request path that names no file, for the site's rules and the page of an application:
 * `/package/%40scope%2Fname`. `undefined` for one with dot segments. An encoded slash and bytes that are
 * no UTF-8 stay what they are, so no file has the path (`path-segment.ts`).
 */
export function readNamelessPath(received: string): RequestPath | undefined {
  return readPath(received, (segment) => {
    const text = decodeSegment(segment);
    return isDots(text) ? undefined : text;
  });
}

function readPath(
  received: string,
  decode: (segment: string) => string | undefined,
): RequestPath | undefined {
  if (!received.startsWith('/')) return undefined;
  const raw = received.replaceAll(/\/{2,}/g, '/');
  const folder = raw.endsWith('/');
  const body = raw.slice(1, folder && raw.length > 1 ? -1 : undefined);
  if (body === '') return raw === '/' ? { path: '', folder: true } : undefined;
  const segments = body.split('/').map(decode);
  if (segments.includes(undefined)) return undefined;
  return { path: composed(segments.join('/')), folder };
}

function fileSegment(segment: string): string | undefined {
  try {
    const text = decodeURIComponent(segment);
    return text === '' || isDots(text) || forbidden.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

function isDots(text: string): boolean {
  return text === '.' || text === '..';
}

/** A path as a URL path below the root, every segment percent-encoded: `a b/c` → `/a%20b/c`. */
export function toUrlPath(path: string): string {
  return `/${path.split('/').map(encodeURIComponent).join('/')}`;
}

import { fetchFile, ViewerError } from '../parts/fetch-file.ts';
import { countDrawn } from './count-drawn.ts';

/** Copies of parts, beside the elements that the file itself has. */
const mostCopies = 200_000;
const mostBytes = 100 * 1024 * 1024;

/**
 * Resolves when a browser can draw the SVG at `url`; one of a few hundred bytes can keep its page
 * busy for ever.
 *
 * @throws ViewerError
 */
export async function checkDrawing(url: string): Promise<void> {
  const { own, drawn } = countDrawn(textOf(await fetchFile(url, mostBytes)));
  if (drawn - own > mostCopies) {
    throw new ViewerError('It has too many repeated parts to be drawn here.');
  }
}

/** Sites send an SVG as UTF-8, but a byte order mark at its start takes precedence. */
function textOf(bytes: Uint8Array<ArrayBuffer>): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return new TextDecoder().decode(bytes);
}

import type { ProjectType } from '../../contract/fields.ts';
import { viewerOf } from './detect-type.ts';
import type { TakenFinder } from './taken-pictures.ts';
import { extensionOf, mediaType } from './media-type.ts';

/** The files that a text of a bundle may name. */
export interface FilesBeside {
  /** The address of the text's folder. */
  folderHref: string;
  /** The file that a wiki link names, and where its page or the picture is. */
  find(target: string): { href: string; isPicture: boolean } | undefined;
}

/** The start of a text file, as shown on its viewer page. */
export interface TextFile {
  path: string;
  type: ProjectType;
  bytes: Uint8Array;
  /** False if the file is longer. */
  isWhole: boolean;
  /** The other files of its bundle. */
  beside?: FilesBeside | undefined;
  /** Where its pictures of other sites are, if its version took some along. */
  taken?: TakenFinder | undefined;
}

/** The part of a text file that its viewer page shows. The whole file has a URL of its own. */
const shownTextBytes = 2 * 1024 * 1024;

/** These contain their pictures, and most cannot be parsed from their beginning alone. */
const shownWholeBytes = 8 * 1024 * 1024;

/** How much of a text file its viewer page shows. */
export function shownBytesOf(path: string): number {
  return /^(?:ipynb|rtf|dxf|excalidraw|drawio|emlx?|mbox)$/.test(extensionOf(path))
    ? shownWholeBytes
    : shownTextBytes;
}

const textTypes = new Set<ProjectType>(['code', 'markdown', 'yaml', 'sql', 'python']);

/**
 * Whether the page of a single file shows it as text. A table (`.csv`) is text too, but has a viewer
 * of its own unless it is too large for that.
 */
export function isShownAsText(
  type: ProjectType,
  { path, size }: { path: string; size: number },
): boolean {
  if (textTypes.has(type)) return true;
  const isText = type === 'document' && mediaType(path).startsWith('text/');
  return isText && viewerOf(path, size) === undefined;
}

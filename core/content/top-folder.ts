import type { ContentWarning } from '../../contract/fields.ts';
import { composed } from '../compose-text.ts';
import { byHomeLikelihood } from './choose-home.ts';
import { isHtml } from './media-type.ts';
import { type SharedTime, sharedTime } from '../run-with-timeout.ts';
import { quoted } from './safe-path.ts';

/** The files of an upload below its one top folder. */
export interface FolderContent {
  /** With its slash (`site/`). */
  topFolder: string;
  /** Relative to it. */
  files: readonly { path: string; size: number }[];
  /** Reads one file; `undefined` if it cannot be read yet. */
  look: (path: string) => Promise<Uint8Array | undefined>;
}

/**
 * At most this many pages are read, the likeliest home pages first, and none larger than the limit
 * below.
 */
const maxPages = 4;
export const maxPageBytes = 512 * 1024;

/**
 * Whether the pages of an upload refer to its files by addresses that begin with its top folder: a
 * build for `/app/` has `<script src="/app/main.js">`. Without the folder all of them would be missing.
 */
export async function refersToTopFolder(
  content: FolderContent,
  limitMs = readMs,
): Promise<boolean> {
  const { topFolder, files, look } = content;
  const pages = files.filter(({ path, size }) => isHtml(path) && size <= maxPageBytes);
  const paths = new Set(files.map(({ path }) => path));
  const inOrder = pages.toSorted((a, b) => byHomeLikelihood(a.path, b.path));
  const count = { withFolder: 0, without: 0 };
  const time = sharedTime(limitMs);
  for (const { path } of inOrder.slice(0, maxPages)) {
    const bytes = await look(path);
    // Relative addresses work with and without the folder, so only absolute ones and those of
    // `<base>` count.
    const links =
      bytes === undefined ? [] : await absoluteLinks(Buffer.from(bytes).toString(), path, time);
    for (const link of links) {
      if (paths.has(link)) count.without += 1;
      else if (link.startsWith(topFolder) && paths.has(link.slice(topFolder.length))) {
        count.withFolder += 1;
      }
    }
  }
  return count.withFolder > count.without;
}

/**
 * Paths that a page refers to from the root: those that stay the same if the page is in another
 * folder.
 */
async function absoluteLinks(text: string, path: string, time: SharedTime): Promise<string[]> {
  const { readPage } = await import('./links/page-links.ts');
  const found = time.run(() => {
    const elsewhere = readPage(text, `elsewhere/${path}`).links;
    const same = new Set(elsewhere.map((link) => link.path));
    return readPage(text, path).links.flatMap((link) =>
      same.has(link.path) ? [decodePath(link.path).slice(1)] : [],
    );
  });
  return found ?? [];
}

/** For all pages together, more than usual ones need: nothing that a stranger writes may hold a function. */
const readMs = 1000;

function decodePath(path: string): string {
  try {
    return composed(decodeURIComponent(path));
  } catch {
    return path;
  }
}

/** The warning that a top folder was removed or kept. */
export function folderWarning(topFolder: string, isKept: boolean): ContentWarning {
  const name = quoted(topFolder);
  const message = isKept
    ? `The folder ${name} is part of the addresses, because pages refer to /${topFolder}.`
    : `All files are in the folder ${name}, which was left out of their addresses. A site that is built for /${topFolder} keeps it.`;
  return { kind: 'folder', message: message.slice(0, 400) };
}

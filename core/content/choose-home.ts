import { CodedError } from '../errors.ts';
import { baseName } from './file-name.ts';

/**
 * The home page among an upload's HTML files; null when there is none.
 *
 * One HTML file is the home page. Of several, a ZIP must name one (docs/contract.md,
 * "Uploads"); files sent one by one may, and else the shallowest `index.html` or the first is taken.
 * @param topFolder the folder that was dropped from every path of a ZIP (`site/`); a path may be named with it
 * @throws CodedError ZIP_MULTIPLE_HTML, INVALID_REQUEST
 */
export function chooseHome(
  pages: readonly string[],
  named: string | undefined,
  fromArchive: boolean,
  topFolder = '',
): string | null {
  if (named !== undefined) return chosen(pages, named.normalize('NFC'), topFolder);
  const [only] = pages;
  if (only === undefined) return null;
  const inOrder = pages.toSorted(homeFirst);
  if (pages.length === 1) return only;
  if (fromArchive) {
    throw multiple(
      inOrder,
      `The ZIP holds ${pages.length} HTML files; say which is the home page.`,
    );
  }
  return inOrder.find(isIndex) ?? only;
}

function chosen(pages: readonly string[], named: string, topFolder: string): string {
  const home =
    pages.find((page) => page === named) ?? pages.find((page) => topFolder + page === named);
  if (home !== undefined) return home;
  if (pages.length > 0) {
    throw multiple(
      pages.toSorted(homeFirst),
      '`zipIndexHtmlPath` names no HTML file of this upload.',
    );
  }
  const message = 'The upload holds no HTML file; leave `zipIndexHtmlPath` out.';
  throw new CodedError('INVALID_REQUEST', {
    error: message,
    details: [{ path: 'zipIndexHtmlPath', message }],
  });
}

function multiple(htmlPaths: string[], error: string): CodedError {
  return new CodedError('ZIP_MULTIPLE_HTML', { error, htmlPaths });
}

/** Shallow before deep, `index.html` before others, then by name: the likeliest home page first. */
function homeFirst(a: string, b: string): number {
  const depth = a.split('/').length - b.split('/').length;
  return depth || Number(isIndex(b)) - Number(isIndex(a)) || (a < b ? -1 : 1);
}

function isIndex(path: string): boolean {
  return /^index\.html?$/i.test(baseName(path));
}

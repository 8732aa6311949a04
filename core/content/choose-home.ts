import type { IncludeHidden } from './left-out/sift-paths.ts';
import type { ProjectType } from '../../contract/fields.ts';
import { CodedError } from '../errors.ts';
import { detectType } from './detect-type.ts';
import { baseName, isHtml, isIndexPage } from './media-type.ts';
import { normalPath } from './safe-path.ts';
import { isTakenPicture } from './taken-pictures.ts';

/**
 * The home page among an upload's HTML files; null when there is none.
 *
 * A single HTML file is the home page. If a ZIP has several, the request must name one, or say that the
 * shallowest `index.html` is meant (docs/contract.md, "Uploads"). If separate files have several, the
 * request may name one; the default is the shallowest `index.html`, or else the first file.
 * @param choice a named page comes before `home`
 * @param content its `topFolder` was removed from every path (`site/`); errors list the paths with
 * it, and a named page may include it
 * @throws CodedError ZIP_MULTIPLE_HTML, INVALID_REQUEST
 */
export function chooseHome(
  pages: readonly string[],
  { zipIndexHtmlPath: named, home }: HomeChoice,
  { isArchive, topFolder }: Pick<ContentPaths, 'isArchive' | 'topFolder'>,
): string | null {
  if (named !== undefined) return findNamedHome(pages, normalPath(named), topFolder);
  const [only] = pages;
  if (only === undefined) return null;
  if (pages.length === 1) return only;
  const index = likeliestFirst(pages).find(isIndex);
  if (isArchive && (index === undefined || home !== 'auto')) {
    throw multipleHtmlError(
      { pages, topFolder },
      `The ZIP holds ${pages.length} HTML files; say which is the home page.`,
    );
  }
  return index ?? only;
}

/** Finds the page by its path as sent, else by its published path. */
function findNamedHome(pages: readonly string[], named: string, topFolder: string): string {
  const home =
    pages.find((page) => topFolder + page === named) ?? pages.find((page) => page === named);
  if (home !== undefined) return home;
  if (pages.length > 0) {
    throw multipleHtmlError(
      { pages, topFolder },
      '`zipIndexHtmlPath` names no HTML file of this upload.',
    );
  }
  const message = 'The upload has no HTML file; omit `zipIndexHtmlPath`.';
  throw new CodedError('INVALID_REQUEST', {
    error: message,
    details: [{ path: 'zipIndexHtmlPath', message }],
  });
}

/** Names that a next step may repeat: it is read by models, so no name of a stranger can be a sentence in it. */
const plainName = /^[\w./-]{1,100}$/;

function multipleHtmlError(
  { pages, topFolder }: { pages: readonly string[]; topFolder: string },
  error: string,
): CodedError {
  const [first = '', ...others] = likeliestFirst(pages).map((page) => topFolder + page);
  const isNamed = isIndex(first) && plainName.test(first);
  const own =
    isNamed &&
    `Send it with \`zipIndexHtmlPath\` set to \`${first}\` or another one of \`htmlPaths\`. \`home: "auto"\` takes \`${first}\` too, and \`asFileBundle: true\` publishes a list of files instead.`;
  const htmlPaths = [first, ...others];
  return new CodedError('ZIP_MULTIPLE_HTML', { error, htmlPaths, ...(own && { nextStep: own }) });
}

/** All pages: the shallowest `index.html`, then the others by their likelihood. */
function likeliestFirst(pages: readonly string[]): string[] {
  const inOrder = pages.toSorted(byHomeLikelihood);
  const index = inOrder.find(isIndex);
  return index === undefined ? inOrder : [index, ...inOrder.filter((page) => page !== index)];
}

/**
 * Sorts the likeliest home page first: shallow before deep, `index.html` before others, then by
 * name.
 */
export function byHomeLikelihood(a: string, b: string): number {
  const depth = a.split('/').length - b.split('/').length;
  return depth || homeRank(a) - homeRank(b) || (a < b ? -1 : 1);
}

/** `index.html` before `default.html` before others. */
function homeRank(path: string): number {
  if (isIndexPage(path)) return 0;
  return /^default\.html?$/i.test(baseName(path)) ? 1 : 2;
}

/** Whether the name of a page is that of a home page. */
function isIndex(path: string): boolean {
  return homeRank(path) < 2;
}

/** The caller's choice of the home page. */
export interface HomeChoice {
  zipIndexHtmlPath?: string | undefined;
  /** Takes the shallowest `index.html` of a ZIP with several pages. */
  home?: 'auto' | undefined;
}

/** The caller's choices about how an upload is published. */
export interface UploadOptions extends HomeChoice {
  asFileBundle?: boolean | undefined;
  /** Publishes hidden files and what an ignore file names too. */
  includeHidden?: IncludeHidden | undefined;
  /** Files that seem to contain keys are published all the same. */
  allowSecrets?: boolean | undefined;
}

/** The paths of an upload's files. */
export interface ContentPaths {
  paths: readonly string[];
  /** The folder that was removed from every path (`site/`), or empty. */
  topFolder: string;
  /** Whether they were in a ZIP. */
  isArchive: boolean;
}

/**
 * The project type and the home page of an upload, by its paths.
 * @throws CodedError ZIP_MULTIPLE_HTML, INVALID_REQUEST
 */
export function detectTypeAndHome(
  upload: UploadOptions,
  content: ContentPaths,
): { type: ProjectType; home: string | null } {
  const { paths, isArchive } = content;
  const bundle = { type: 'files', home: null } as const;
  if (upload.asFileBundle === true) return bundle;
  const pages = paths.filter(isHtml);
  const home = chooseHome(pages, upload, content);
  if (home !== null) return { type: isArchive ? 'zip' : 'html', home };
  const [only, ...others] = paths.filter((path) => !isTakenPicture(path));
  return only === undefined || others.length > 0 || isArchive
    ? bundle
    : { type: detectType(only), home: null };
}

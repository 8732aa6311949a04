import { detectType } from '../content/detect-type.ts';
import { baseName, type ContentKind, extensionOf, isHtml, stem } from '../content/media-type.ts';
import { soleFile } from '../content/taken-pictures.ts';
import type { FilesBeside } from '../content/text-file.ts';
import type { ProjectType } from '../../contract/fields.ts';
import { listFolder } from './list-folder.ts';
import type { Manifest } from './manifest.ts';
import { toUrlPath } from './protocol/request-path.ts';
import { isSingleFile, type ServingRecord } from './serving-record.ts';

/** Another file of a bundle, and where its page is. */
export interface BundleLink {
  name: string;
  href: string;
}

/** Subtitles of a film: the address of the file, and the language that its name says. */
export interface Subtitles {
  href: string;
  /** BCP 47. */
  language?: string;
}

/**
 * The surroundings of a file in its bundle: the page of its folder, and the previous and next file
 * by name.
 */
export interface BundlePlace extends FilesBeside {
  /** Of a film. */
  subtitles?: readonly Subtitles[];
  previous?: BundleLink;
  next?: BundleLink;
}

/**
 * The address of a file's page in a bundle: the file's own address and a slash. An HTML file has no
 * such page, because browsers show it themselves.
 */
export function bundlePagePath(path: string): string | undefined {
  return isHtml(path) ? undefined : `${toUrlPath(path)}/`;
}

/** Where a file is in its bundle; `undefined` for a project with one file. */
export function bundlePlace(
  site: Pick<ServingRecord, 'home' | 'type'>,
  manifest: Manifest,
  path: string,
): BundlePlace | undefined {
  if (isSingleFile(site) || isOnlyFile(manifest, path)) return undefined;
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const beside = listFolder(manifest, folder).files;
  const subtitles = detectType(path) === 'video' ? subtitlesOf(path, beside) : [];
  const links = beside.flatMap((file) => {
    const href = bundlePagePath(file.path);
    return href === undefined ? [] : [{ path: file.path, name: file.name, href }];
  });
  const index = links.findIndex((link) => link.path === path);
  const [previous, next] = [links[index - 1], links[index + 1]];
  return {
    folderHref: folder === '' ? '/' : `${toUrlPath(folder.slice(0, -1))}/`,
    find: fileFinder(manifest),
    ...(subtitles.length > 0 && { subtitles }),
    ...(previous && { previous: { name: previous.name, href: previous.href } }),
    ...(next && { next: { name: next.name, href: next.href } }),
  };
}

/**
 * Finds what a wiki link names: a file by its name or the end of its path, with or without `.md`, as Obsidian does;
 * the one with the shortest path, whatever the case of its letters. The names are listed when the first is asked for.
 */
export function fileFinder(manifest: Manifest): FilesBeside['find'] {
  let byName: Map<string, string[]> | undefined;
  return (target) => {
    byName ??= namesOf(manifest);
    const name = target.toLowerCase().replace(/^\/+/, '');
    const found = [name, `${name}.md`].flatMap((end) =>
      (byName?.get(baseName(end)) ?? []).filter((one) =>
        `/${one.toLowerCase()}`.endsWith(`/${end}`),
      ),
    );
    if (found.length === 0) return undefined;
    const path = found.reduce((best, one) => (one.length < best.length ? one : best));
    return { href: toUrlPath(path), isPicture: detectType(path) === 'image' };
  };
}

/** A text may have ten thousand links, and a bundle as many files of one name. */
const mostOfOneName = 100;

/** The paths of files by their name in lower case. */
function namesOf(manifest: Manifest): Map<string, string[]> {
  const byName = new Map<string, string[]>();
  for (const path of manifest.keys()) {
    const name = baseName(path).toLowerCase();
    const same = byName.get(name);
    if (same === undefined) byName.set(name, [path]);
    else if (same.length < mostOfOneName) same.push(path);
  }
  return byName;
}

/** The address of such a bundle shows its file: there is no list to go back to. */
function isOnlyFile(manifest: Manifest, path: string): boolean {
  return soleFile(manifest)?.[0] === path && !path.includes('/');
}

/** A film has few; a player lists them all. */
const mostSubtitles = 50;

/** Files named like the film, `launch.vtt` or `launch.en.srt` beside `launch.mp4`. */
function subtitlesOf(path: string, beside: readonly { name: string; path: string }[]): Subtitles[] {
  const film = `${stem(path)}.`.toLowerCase();
  return beside
    .filter(({ name }) => ['vtt', 'srt'].includes(extensionOf(name)))
    .filter(({ name }) => name.toLowerCase().startsWith(film))
    .slice(0, mostSubtitles)
    .map((file) => {
      const [, language] = /\.([a-z]{2,3}(?:-[a-z\d]{2,8})*)\.[a-z]+$/i.exec(file.name) ?? [];
      return { href: toUrlPath(file.path), ...(language !== undefined && { language }) };
    });
}

/** The type by which the page of a file shows it. */
export function shownType(
  site: Pick<ServingRecord, 'home' | 'type'>,
  path: string,
  { isText, isVideo, hasOwnEncoding, format }: Omit<ContentKind, 'coding'>,
): ProjectType {
  if (isVideo === true) return 'video';
  if (format !== undefined) return detectType(`.${format}`);
  if (isSingleFile(site)) return site.type;
  const type = detectType(path);
  return type === 'files' && (isText ?? hasOwnEncoding) === true ? 'code' : type;
}

/** A longer README is shown on its own page only. */
const mostReadmeBytes = 256 * 1024;

/** The file of a folder that says what the folder is, shown below its list; `undefined` without one. */
export function folderReadme<File extends { name: string; bytes: number }>(
  files: readonly File[],
): File | undefined {
  return files.find(
    ({ name, bytes }) => /^readme\.(?:md|markdown)$/i.test(name) && bytes <= mostReadmeBytes,
  );
}

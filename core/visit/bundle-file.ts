import { detectType } from '../content/detect-type.ts';
import { isHtml } from '../content/media-type.ts';
import type { ProjectType } from '../../contract/fields.ts';
import { listFolder } from './list-folder.ts';
import type { FileEntry, Manifest } from './manifest.ts';
import { toUrlPath } from './protocol/request-path.ts';
import { isSingleFile, type ServingRecord } from './serving-record.ts';

/** Another file of a bundle, and where its page is. */
export interface BundleLink {
  name: string;
  href: string;
}

/** What is around a file of a bundle: the page of its folder, and the files beside it by name. */
export interface BundlePlace {
  folderHref: string;
  previous?: BundleLink;
  next?: BundleLink;
}

/**
 * The address of a file's page in a bundle: the file's own address and a slash. A page of HTML is shown
 * by browsers themselves and has none.
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
  if (isSingleFile(site)) return undefined;
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const links = listFolder(manifest, folder).files.flatMap((file) => {
    const href = bundlePagePath(file.path);
    return href === undefined ? [] : [{ path: file.path, name: file.name, href }];
  });
  const index = links.findIndex((link) => link.path === path);
  const [previous, next] = [links[index - 1], links[index + 1]];
  return {
    folderHref: folder === '' ? '/' : `${toUrlPath(folder.slice(0, -1))}/`,
    ...(previous && { previous: { name: previous.name, href: previous.href } }),
    ...(next && { next: { name: next.name, href: next.href } }),
  };
}

/** The type by which the page of a file shows it. */
export function shownType(
  site: Pick<ServingRecord, 'home' | 'type'>,
  path: string,
  { isText }: Pick<FileEntry, 'isText'>,
): ProjectType {
  if (isSingleFile(site)) return site.type;
  return isText === true ? 'code' : detectType(path);
}

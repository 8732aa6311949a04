import { type BundlePlace, fileFinder, shownType } from '../../core/visit/bundle-file.ts';
import { isSingleFile, type ServingRecord } from '../../core/visit/serving-record.ts';
import { markupKey } from '../../core/content/content-keys.ts';
import { baseName, mediaType } from '../../core/content/media-type.ts';
import { isShownAsText, shownBytesOf, type TextFile } from '../../core/content/text-file.ts';
import { takenFinder } from '../../core/content/taken-pictures.ts';
import type { ContentStore } from '../../core/ports.ts';
import type { Addresses } from '../../core/projects/addresses/addresses.ts';
import { filePlace, readFilePlace } from '../../core/visit/file-place.ts';
import type { FileEntry, Manifest } from '../../core/visit/manifest.ts';
import { toUrlPath } from '../../core/visit/protocol/request-path.ts';
import { quickMs, type SettingTime } from '../../core/visit/setting-time.ts';
import { decodeMarkup, markupRevision, type TextMarkup } from '../../core/visit/text-markup.ts';
import type { Assets, Page } from '../../web/pages/parts/page.ts';
import type { ListedReadme } from '../../web/pages/visitor/listing-page.ts';
import { offerPage } from '../../web/pages/visitor/offer-page.ts';
import { textPage } from '../../web/pages/viewers/text-page.ts';
import type { ViewerInput } from '../../web/pages/viewers/viewer-frame.ts';
import { viewerPage } from '../../web/pages/viewers/viewer-pages.ts';

/** The dependencies for rendering the page of a single file. */
export interface ViewerDeps {
  brand: string;
  content: Pick<ContentStore, 'get'>;
  addresses: Pick<Addresses, 'siteUrl'>;
  /** What is left of this function's time for texts that take long to set. */
  settingTime: SettingTime;
  /** A function, because bundling defines the names and only some pages need them. */
  assets(): Assets;
}

interface SingleFile {
  path: string;
  entry: FileEntry;
  place?: BundlePlace | undefined;
  /** The files of its version. */
  files: Manifest;
}

/** The page of a single file: its viewer, its text, or an offer to download it, as of an empty file. */
export async function singleFilePage(
  deps: ViewerDeps,
  site: ServingRecord,
  file: SingleFile,
): Promise<Page> {
  const input = viewerInput(deps, site, file);
  const { path, entry } = file;
  const page = entry.size === 0 ? offerPage(input) : viewerPage(input);
  if (page !== undefined) return page;
  return isShownAsText(input.file.type, { path, size: entry.size })
    ? renderText(deps, site, file, input)
    : offerPage(input);
}

function viewerInput(
  deps: ViewerDeps,
  site: ServingRecord,
  { path, entry, place }: SingleFile,
): ViewerInput {
  return {
    brand: deps.brand,
    title: site.pageTitle ?? site.title,
    description: site.metaDescription ?? undefined,
    file: {
      name: baseName(path),
      readAs: entry.format && `${baseName(path)}.${entry.format}`,
      href: toUrlPath(path),
      bytes: entry.size,
      type: shownType(site, path, entry),
      contentType: mediaType(path),
    },
    place,
    noIndex: site.noIndex,
    isSavable: !site.disableDownloads,
    origin: deps.addresses.siteUrl(site.host),
    assets: deps.assets(),
    ...(site.temporary && site.expiresAt !== null
      ? { temporary: { expiresAt: site.expiresAt } }
      : {}),
  };
}

/** The page of a text, from the markup that publishing stored or, without that, from the file itself. */
async function renderText(
  deps: ViewerDeps,
  site: ServingRecord,
  { path, entry, place, files }: SingleFile,
  input: ViewerInput,
): Promise<Page> {
  const markup = isSingleFile(site) ? await storedMarkup(deps, site) : undefined;
  if (markup !== undefined) return textPage(input, markup);
  const stored = filePlace(site, path, entry);
  const most = shownBytesOf(path);
  const isWhole = entry.size <= most;
  const range = isWhole ? undefined : { first: 0, last: most - 1 };
  const bytes = await readFilePlace(deps.content, stored, range);
  if (bytes === undefined) return offerPage(input);
  const text = {
    path,
    type: input.file.type,
    bytes,
    isWhole,
    beside: place,
    taken: takenFinder(files),
  };
  return textPage(input, await setText(deps, text));
}

/** A text as markup; what takes long is shown as it is written while no time is left for such texts. */
async function setText({ settingTime }: ViewerDeps, text: TextFile): Promise<TextMarkup> {
  // Loaded here because it is large and most visits do not need it.
  const { quickTextMarkup, textMarkup } = await import('../../web/pages/viewers/text-markup.ts');
  // What takes little time is not counted: others would wait the longer, the more often somebody looks.
  if (!settingTime.isLeft()) return quickTextMarkup(text, quickMs);
  return settingTime.count(() => textMarkup(text, undefined, settingTime.mostMs));
}

async function storedMarkup(
  { content }: ViewerDeps,
  site: ServingRecord,
): Promise<TextMarkup | undefined> {
  if (site.markupRevision !== markupRevision) return undefined;
  const stored = await content.get(markupKey(site.projectId, site.store));
  return stored && decodeMarkup(stored);
}

/**
 * A folder's README as markup, for the page below the folder's list; `undefined` if it no longer
 * exists or is too large to render.
 */
export async function folderReadmeMarkup(
  deps: ViewerDeps,
  site: ServingRecord,
  manifest: Manifest,
  path: string,
): Promise<ListedReadme | undefined> {
  const entry = manifest.get(path);
  if (entry === undefined || entry.size === 0) return undefined;
  const bytes = await readFilePlace(deps.content, filePlace(site, path, entry));
  if (bytes === undefined) return undefined;
  const folderHref = path.includes('/')
    ? `${toUrlPath(path.slice(0, path.lastIndexOf('/')))}/`
    : '/';
  const beside = { folderHref, find: fileFinder(manifest) };
  const text = { path, type: 'markdown', bytes, isWhole: true, beside } as const;
  const set = await setText(deps, { ...text, taken: takenFinder(manifest) });
  if (set.kind !== 'markdown') return undefined;
  return { name: baseName(path), href: `${toUrlPath(path)}/`, markup: set.markup };
}

import type { ServingRecord } from '../../core/visit/serving-record.ts';
import { contentKey, markupKey } from '../../core/content/content-keys.ts';
import { baseName } from '../../core/content/file-name.ts';
import { mediaType } from '../../core/content/media-type.ts';
import { isTextFile, shownTextBytes } from '../../core/content/text-file.ts';
import type { ContentStore } from '../../core/ports.ts';
import type { Addresses } from '../../core/projects/addresses/addresses.ts';
import { type FileEntry, placeIn } from '../../core/visit/manifest.ts';
import { toUrlPath } from '../../core/visit/protocol/request-path.ts';
import { decodeMarkup, markupRevision, type TextMarkup } from '../../core/visit/text-markup.ts';
import type { Assets } from '../../web/pages/parts/assets.ts';
import { offerPage } from '../../web/pages/visitor/offer-page.ts';
import type { Page } from '../../web/pages/parts/page.ts';
import { imagePage } from '../../web/pages/viewers/image-page.ts';
import { mediaPage } from '../../web/pages/viewers/media-page.ts';
import { pdfPage } from '../../web/pages/viewers/pdf-page.ts';
import { scriptedPage } from '../../web/pages/viewers/scripted-page.ts';
import { textPage } from '../../web/pages/viewers/text-page.ts';
import type { Viewed } from '../../web/pages/viewers/viewer-page.ts';

/** What showing a single file needs. */
export interface ViewerDeps {
  brand: string;
  content: Pick<ContentStore, 'get'>;
  addresses: Pick<Addresses, 'siteUrl'>;
  /** Asked only once a page needs it: bundling gives the names. */
  assets(): Assets;
}

/** The one file of a project. */
interface SingleFile {
  path: string;
  entry: FileEntry;
}

/** The page that shows a single file by its type; what no browser shows is offered to be saved. */
export async function singleFilePage(
  deps: ViewerDeps,
  site: ServingRecord,
  file: SingleFile,
): Promise<Page> {
  const viewed = viewedOf(deps, site, file);
  const scripted = scriptedPage(viewed);
  if (scripted !== undefined) return scripted;
  if (isTextFile(site.type, file.path)) return pageOfText(deps, site, file, viewed);
  if (site.type === 'pdf') return pdfPage(viewed);
  if (site.type === 'image') return imagePage(viewed);
  return site.type === 'audio' || site.type === 'video' ? mediaPage(viewed) : offerPage(viewed);
}

function viewedOf(deps: ViewerDeps, site: ServingRecord, { path, entry }: SingleFile): Viewed {
  return {
    brand: deps.brand,
    title: site.pageTitle ?? site.title,
    description: site.metaDescription ?? undefined,
    file: {
      name: baseName(path),
      href: toUrlPath(path),
      bytes: entry.size,
      type: site.type,
      contentType: mediaType(path),
    },
    noIndex: site.noIndex,
    isSavable: !site.disableDownloads,
    origin: deps.addresses.siteUrl(site.host),
    assets: deps.assets(),
    ...(site.temporary && site.expiresAt !== null
      ? { temporary: { expiresAt: site.expiresAt } }
      : {}),
  };
}

/** What is kept of its page, or what is made of the file now. */
async function pageOfText(
  deps: ViewerDeps,
  site: ServingRecord,
  { path, entry }: SingleFile,
  viewed: Viewed,
): Promise<Page> {
  const kept = await keptMarkup(deps, site);
  if (kept !== undefined) return textPage(viewed, kept);
  const key = contentKey(site.projectId, placeIn(site.store, path, entry));
  const isWhole = entry.size <= shownTextBytes;
  const range = isWhole ? undefined : { first: 0, last: shownTextBytes - 1 };
  const bytes = entry.size === 0 ? new Uint8Array() : await deps.content.get(key, range);
  if (bytes === undefined) return offerPage(viewed);
  // The parts that make markup of text are large, and most visits need none of them.
  const { textMarkup } = await import('../../web/pages/viewers/text-markup.ts');
  return textPage(viewed, textMarkup({ path, type: site.type, bytes, isWhole }));
}

async function keptMarkup(
  { content }: ViewerDeps,
  site: ServingRecord,
): Promise<TextMarkup | undefined> {
  if (site.markupRevision !== markupRevision) return undefined;
  const stored = await content.get(markupKey(site.projectId, site.store));
  return stored && decodeMarkup(stored);
}

import { mediaType } from '../../core/content/media-type.ts';
import type { HeadAddresses } from '../../core/page-edits/page-head.ts';
import type { Manifest } from '../../core/visit/manifest.ts';
import { toUrlPath } from '../../core/visit/protocol/request-path.ts';
import type { ServingRecord } from '../../core/visit/serving-record.ts';
import type { VisitParts } from '../../web/pages/parts/page.ts';
import type { SharedMedia } from '../../web/pages/parts/sharing.ts';

/** The requested page of ours. */
export interface PageContext {
  site: ServingRecord;
  files: Manifest;
  /** The requested path, percent-encoded. */
  path: string;
  /** Whether it shows another version than the live one. */
  isPreview: boolean;
}

/**
 * The parts of our own page about a project besides its content: the owner's title and description,
 * tags for programs that share it, and the script that counts opens. A page that is not public has
 * no such tags, and only its own site may frame it.
 */
export function visitParts(brand: string, heads: HeadAddresses, page: PageContext): VisitParts {
  const { site, path, isPreview } = page;
  const origin = heads.siteUrl(site.host);
  const isCounted = site.analyticsEnabled && !site.temporary;
  return {
    ...(path === '/' && ownerDescription(site)),
    ...(isCounted && { open: { origin, path: heads.openScriptPath } }),
    ...(site.access === 'public' && !isPreview && sharingParts(brand, heads, page)),
  };
}

function ownerDescription({ pageTitle, metaDescription }: ServingRecord): VisitParts {
  return {
    ...(pageTitle !== null && { fullTitle: pageTitle }),
    ...(metaDescription !== null && { description: metaDescription }),
  };
}

function sharingParts(
  brand: string,
  heads: HeadAddresses,
  { site, files, path }: PageContext,
): VisitParts {
  const origin = heads.siteUrl(site.host);
  const url = origin + path;
  return {
    framed: 'anywhere',
    sharing: {
      url,
      title: site.pageTitle ?? site.title,
      description: site.metaDescription ?? undefined,
      siteName: brand,
      oEmbedUrl: heads.oEmbedUrl(url),
      media: sharedMedia(site, files, origin),
    },
  };
}

/** Most programs that show link previews do not load larger images. */
const maxPreviewBytes = 5 * 1024 * 1024;
const previewableImages = /^image\/(?:png|jpeg|gif|webp)$/;

function sharedMedia(
  { type, home }: ServingRecord,
  files: Manifest,
  origin: string,
): SharedMedia | undefined {
  const [single, ...others] = files;
  if (home !== null || single === undefined || others.length > 0) return undefined;
  const [path, { size }] = single;
  const contentType = mediaType(path);
  const media = { url: origin + toUrlPath(path), contentType };
  if (type === 'video' || type === 'audio') return { kind: type, ...media };
  const fits = type === 'image' && size <= maxPreviewBytes && previewableImages.test(contentType);
  return fits ? { kind: 'image', ...media } : undefined;
}

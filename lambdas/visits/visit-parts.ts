import { mediaType } from '../../core/content/media-type.ts';
import type { HeadAddresses } from '../../core/page-edits/page-head.ts';
import type { Manifest } from '../../core/visit/manifest.ts';
import { toUrlPath } from '../../core/visit/protocol/request-path.ts';
import type { ServingRecord } from '../../core/visit/serving-record.ts';
import type { VisitParts } from '../../web/pages/parts/page.ts';
import type { SharedMedia } from '../../web/pages/parts/sharing.ts';

/** A page of ours that is visited. */
export interface VisitedPage {
  site: ServingRecord;
  files: Manifest;
  /** As the visitor asked for it, percent-encoded. */
  path: string;
  /** Whether it is of another version than the live one. */
  preview: boolean;
}

/**
 * What a page of ours about a project gets: what its owner says of it, what programs that share it
 * need, and what is needed to count it. A page that not everybody may see tells nothing to programs that share it, and may
 * be framed by its own site alone.
 */
export function visitParts(brand: string, heads: HeadAddresses, page: VisitedPage): VisitParts {
  const { site, path, preview } = page;
  const origin = heads.siteUrl(site.host);
  const isCounted = site.analyticsEnabled && !site.temporary;
  return {
    ...(path === '/' && ownersWords(site)),
    ...(isCounted && { open: { origin, path: heads.openScriptPath } }),
    ...(site.access === 'public' && !preview && shared(brand, heads, page)),
  };
}

function ownersWords({ pageTitle, metaDescription }: ServingRecord): VisitParts {
  return {
    ...(pageTitle !== null && { fullTitle: pageTitle }),
    ...(metaDescription !== null && { description: metaDescription }),
  };
}

function shared(
  brand: string,
  heads: HeadAddresses,
  { site, files, path }: VisitedPage,
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

/** Programs that make previews load no more of a picture. */
const maxPreviewBytes = 5 * 1024 * 1024;
const pictures = /^image\/(?:png|jpeg|gif|webp)$/;

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
  const fits = type === 'image' && size <= maxPreviewBytes && pictures.test(contentType);
  return fits ? { kind: 'image', ...media } : undefined;
}

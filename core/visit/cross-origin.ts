import type { SiteFields } from '../site-rules/site-rules.ts';
import { removesFieldAt } from './rules-at.ts';
import { isSingleFile, type ServingRecord } from './serving-record.ts';

/** The header that lets pages of other origins read an answer (Fetch, "CORS protocol"). */
export const allowOrigin = 'access-control-allow-origin';

const pageType = /^(?:text\/html|application\/xhtml)/i;

interface SentFile {
  /** The requested path, percent-encoded. */
  urlPath: string;
  contentType: string;
  /** What the site's own rules set. */
  fields: SiteFields;
}

/**
 * Whether pages of other origins may read a file though the rules of its site do not say so: fonts, JSON,
 * models and other assets that everybody may open, as at other static hosts. Never a page. What the site's
 * own rules say at its path wins, also where they remove the header.
 */
export function isOpenToOrigins(
  site: ServingRecord,
  { urlPath, contentType, fields }: SentFile,
): boolean {
  if (site.access !== 'public' || (isSingleFile(site) && site.disableDownloads)) return false;
  const isPage = pageType.test(fields.get('content-type') ?? contentType);
  return !isPage && !fields.has(allowOrigin) && !removesFieldAt(site, urlPath, allowOrigin);
}

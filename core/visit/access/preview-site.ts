import type { ProjectId } from '../../../contract/fields.ts';
import { instant } from '../../instants.ts';
import type { Version } from '../../projects/project.ts';
import { type Preview, readPreviewToken } from './preview-token.ts';
import type { ServingRecord } from '../serving-record.ts';
import type { RotatingSecret } from '../../secrets/rotating-secret.ts';

/** What showing another version than the live one needs. */
export interface PreviewDeps {
  accessSecret: RotatingSecret;
  keptVersion(projectId: ProjectId, version: number): Promise<Version | undefined>;
}

/** A visit without a preview cookie has this in its place, so that all of them share what the edge keeps. */
const noToken = '-';

/**
 * The site with the version that the visitor's preview token shows; `live` without a token that is
 * good here, `ended` when that version left the history.
 */
export async function previewSite(
  deps: PreviewDeps,
  site: ServingRecord,
  token: string,
  now: Date,
): Promise<ServingRecord | 'live' | 'ended'> {
  if (token === noToken) return 'live';
  const preview = readPreviewToken(deps.accessSecret, token, site.projectId, now);
  if (preview === undefined) return 'live';
  const version = await deps.keptVersion(site.projectId, preview.version);
  return version === undefined ? 'ended' : previewRecord(site, version, preview);
}

/** A link to a large file that is made for a preview dies with it. */
function previewRecord(site: ServingRecord, version: Version, preview: Preview): ServingRecord {
  const { version: number, store, type, home, createdAt } = version;
  const { manifest, rules, markupRevision } = version;
  const { manifest: _, rules: __, markupRevision: ___, ...settings } = site;
  return {
    ...settings,
    version: number,
    store,
    type,
    home,
    ...(manifest !== undefined && { manifest }),
    ...(rules !== undefined && { rules }),
    ...(markupRevision !== undefined && { markupRevision }),
    publishedAt: createdAt,
    expiresAt: instant(new Date(preview.expires * 1000)),
    // Who looks at a preview opens nothing that is live.
    analyticsEnabled: false,
  };
}

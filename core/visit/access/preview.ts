import type { ProjectId } from '../../../contract/fields.ts';
import { epochSeconds, hasExpired, instant } from '../../instants.ts';
import type { ShownPreview } from '../../projects/previews/named-preview.ts';
import type { Version } from '../../projects/project.ts';
import { storedContent } from '../manifest.ts';
import type { FoundSite } from '../find-site.ts';
import type { ServingRecord } from '../serving-record.ts';
import { isSignatureOf, type RotatingSecret, signatureOf } from '../../secrets/rotating-secret.ts';

/** The dependencies for showing a preview. */
export interface PreviewDeps {
  namedPreview(projectId: ProjectId, name: string): Promise<ShownPreview | undefined>;
  accessSecret: RotatingSecret;
  keptVersion(projectId: ProjectId, version: number): Promise<Version | undefined>;
}

/**
 * The site of a named preview, for those who may view the project, or for everybody; undefined where there is
 * none, or its time is over. Never indexed, and never counted.
 */
export async function namedPreviewSite(
  deps: Pick<PreviewDeps, 'namedPreview'>,
  site: FoundSite,
  name: string,
  now: Date,
): Promise<FoundSite | undefined> {
  const found = await deps.namedPreview(site.projectId, name);
  if (found === undefined || hasExpired(found.preview, now)) return undefined;
  const { access, expiresAt } = found.preview;
  const open = access === 'public' && ({ access, passwordStamp: null } as const);
  const ends = site.expiresAt !== null && site.expiresAt < expiresAt ? site.expiresAt : expiresAt;
  const expires = epochSeconds(new Date(ends));
  return {
    ...previewRecord(site, found.version, { expires }),
    noIndex: true,
    shows: name,
    ...open,
  };
}

/**
 * The site with the version that the visitor's preview token names; `live` without a valid token,
 * `ended` when that version has been removed from the history.
 */
export async function previewSite(
  deps: PreviewDeps,
  site: FoundSite,
  token: string,
  now: Date,
): Promise<ServingRecord | 'live' | 'ended'> {
  const preview = readPreviewToken(deps.accessSecret, token, site, now);
  if (preview === undefined || !isShownAt(site, preview)) return 'live';
  const version = await deps.keptVersion(site.projectId, preview.version);
  return version === undefined ? 'ended' : previewRecord(site, version, preview);
}

function isShownAt({ shows }: FoundSite, { version }: Preview): boolean {
  return shows === undefined || shows === version;
}

/** `expiresAt` is the preview's, so that links to large files expire with it. */
function previewRecord(
  site: ServingRecord,
  version: Version,
  preview: Pick<Preview, 'expires'>,
): ServingRecord {
  return {
    ...recordOf(site, version),
    expiresAt: instant(new Date(preview.expires * 1000)),
    // A view of a preview does not count as an open.
    analyticsEnabled: false,
  };
}

/** The site with the version that a share link shows; `ended` when it has been removed from the history. */
export async function shownVersion(
  { keptVersion }: Pick<PreviewDeps, 'keptVersion'>,
  site: FoundSite,
  number: number,
): Promise<ServingRecord | 'ended'> {
  if (number === site.version) return site;
  const version = await keptVersion(site.projectId, number);
  return version === undefined ? 'ended' : recordOf(site, version);
}

function recordOf(site: ServingRecord, version: Version): ServingRecord {
  const { version: number, store, type, home, createdAt } = version;
  const { markupRevision } = version;
  const { manifest: _, rules: __, manifestHash: ___, ...others } = site;
  const { markupRevision: ____, retained: _____, ...settings } = others;
  return {
    ...settings,
    version: number,
    store,
    type,
    home,
    ...storedContent(version),
    ...(markupRevision !== undefined && { markupRevision }),
    publishedAt: createdAt,
  };
}

/** The content of a preview token. */
export interface Preview {
  projectId: ProjectId;
  version: number;
  /** When the version became live with which the preview ends, in epoch milliseconds. */
  liveSince?: number;
  /** Epoch seconds, exclusive. */
  expires: number;
}

/**
 * The edge function accepts the same form in a cookie: `<project>.<version>.<expires>.<HMAC-SHA256>`, where
 * `<version>` is `5~1772366400000` if the preview of version 5 ends with the next version that becomes live. It
 * names the moment of the last change and not the live version: a rollback to that one ends the preview too.
 */
const tokenPattern =
  /^([0-9a-f-]{36})\.([1-9]\d{0,8})(?:~([1-9]\d{0,13}))?\.(\d{10})\.([\w-]{43})$/;

/** Creates the signed token of a preview link. */
export function previewToken(secret: RotatingSecret, preview: Preview): string {
  const content = serialize(preview);
  return `${content}.${signatureOf(secret, 'preview', content)}`;
}

/** The content of a token with a valid signature, for this project and not ended; `undefined` otherwise. */
export function readPreviewToken(
  secret: RotatingSecret,
  token: string,
  { projectId, publishedAt }: Pick<ServingRecord, 'projectId' | 'publishedAt'>,
  now: Date,
): Preview | undefined {
  const [, project, version, liveSince, expires, signature = ''] = tokenPattern.exec(token) ?? [];
  const preview = {
    projectId,
    version: Number(version),
    ...(liveSince !== undefined && { liveSince: Number(liveSince) }),
    expires: Number(expires),
  };
  if (project !== projectId || preview.expires <= epochSeconds(now)) return undefined;
  if (liveSince !== undefined && preview.liveSince !== Date.parse(publishedAt)) return undefined;
  return isSignatureOf(secret, 'preview', serialize(preview), signature) ? preview : undefined;
}

function serialize({ projectId, version, liveSince, expires }: Preview): string {
  const shown = liveSince === undefined ? version : `${version}~${liveSince}`;
  return `${projectId}.${shown}.${expires}`;
}

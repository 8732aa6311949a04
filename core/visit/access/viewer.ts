import {
  judgeLinkCookie,
  linkIdOfStamp,
  type ShareLink,
  type ShareLinkStore,
} from '../../share-links/share-link.ts';
import type { RotatingSecret } from '../../secrets/rotating-secret.ts';
import type { ServingRecord } from '../serving-record.ts';
import { readAccessToken, type ViewerRole, viewerRoleOf } from './access-token.ts';

/** The value for a cookie that the browser did not send: a header needs a value. */
export const noToken = '-';

/** The dependencies for telling as whom a request sees a site. */
export interface ViewerDeps {
  accessSecret: RotatingSecret;
  shareLinks: Pick<ShareLinkStore, 'find'>;
}

/** As whom a request sees a site. */
export interface Viewer {
  role: ViewerRole;
  /** The share link by which the visitor came, while it gives access. */
  link?: ShareLink;
  /** Whether the requested page is a new open of the link, which must be counted before it is shown. */
  isStale?: true;
}

/**
 * As whom the holder of an access cookie sees a site now. Only the cookie of a share link causes a read: of
 * that link, strongly consistent, so that its end holds from the next request on.
 */
export async function findViewer(
  deps: ViewerDeps,
  site: Pick<ServingRecord, 'projectId' | 'passwordStamp' | 'ownerId' | 'ownerRevision'>,
  { access, isPageView }: { access: string; isPageView: boolean },
  now: Date,
): Promise<Viewer> {
  if (access === noToken) return { role: 'stranger' };
  const role = viewerRoleOf(deps.accessSecret, access, site, now);
  if (role !== 'link') return { role };
  const token = readAccessToken(deps.accessSecret, access, site.projectId, now);
  const id = token && linkIdOfStamp(token.stamp);
  if (token === undefined || id === undefined) return { role: 'stranger' };
  const link = await deps.shareLinks.find(site.projectId, id);
  const verdict = judgeLinkCookie(link, token, { isPageView, now });
  if (link === undefined || verdict === 'refused') return { role: 'stranger' };
  return { role, link, ...(verdict === 'stale' && { isStale: true }) };
}

import {
  judgeLinkCookie,
  linkIdOfStamp,
  type ShareLink,
  type ShareLinkStore,
} from '../../share-links/share-link.ts';
import { isForPeople, isOnList, type PeopleList } from '../../people/people-list.ts';
import {
  judgeVisitorCookie,
  type Visitor,
  visitorIdOfStamp,
  type VisitorStore,
} from '../../people/visitor.ts';
import type { RotatingSecret } from '../../secrets/rotating-secret.ts';
import type { ServingRecord } from '../serving-record.ts';
import {
  type AccessTokenContent,
  readAccessToken,
  type ViewerRole,
  viewerRoleOf,
} from './access-token.ts';

/** The value for a cookie that the browser did not send: a header needs a value. */
export const noToken = '-';

/** The dependencies for telling as whom a request sees a site. */
export interface ViewerDeps {
  accessSecret: RotatingSecret;
  shareLinks: Pick<ShareLinkStore, 'find'>;
  visitors: Pick<VisitorStore, 'find' | 'listOf'>;
}

/** As whom a request sees a site. */
export interface Viewer {
  role: ViewerRole;
  /** The share link by which the visitor came, while it gives access. */
  link?: ShareLink;
  /** The address that a `person` proved. */
  email?: string;
  /** Whether the requested page is a new open of the link, which must be counted before it is shown. */
  isStale?: true;
}

type ViewedSite = Pick<
  ServingRecord,
  'projectId' | 'access' | 'passwordStamp' | 'peopleStamp' | 'ownerId' | 'ownerRevision'
>;

/** An access cookie, and whether somebody opens the address, and no page loads it. */
interface ViewRequest {
  access: string;
  isPageView: boolean;
}

/**
 * As whom the holder of an access cookie sees a site now. Only the cookies of share links and of people cause a
 * read: of that link or person, strongly consistent, so that its end holds from the next request on.
 */
export async function findViewer(
  deps: ViewerDeps,
  site: ViewedSite,
  { access, isPageView }: ViewRequest,
  now: Date,
): Promise<Viewer> {
  if (access === noToken) return { role: 'stranger' };
  const role = viewerRoleOf(deps.accessSecret, access, site, now);
  if (role !== 'link' && role !== 'person') return { role };
  const token = readAccessToken(deps.accessSecret, access, site.projectId, now);
  if (token === undefined) return { role: 'stranger' };
  if (role === 'person') return findPerson(deps, site, token);
  const id = linkIdOfStamp(token.stamp);
  if (id === undefined) return { role: 'stranger' };
  const link = await deps.shareLinks.find(site.projectId, id);
  const verdict = judgeLinkCookie(link, token, { isPageView, now });
  if (link === undefined || verdict === 'refused') return { role: 'stranger' };
  return { role, link, ...(verdict === 'stale' && { isStale: true }) };
}

/** Reads the list of people only where it changed since the cookie was given. */
async function findPerson(
  { visitors }: Pick<ViewerDeps, 'visitors'>,
  site: ViewedSite,
  token: AccessTokenContent,
): Promise<Viewer> {
  const id = visitorIdOfStamp(token.stamp);
  if (id === undefined || !isForPeople(site.access)) return { role: 'stranger' };
  const visitor = await visitors.find(site.projectId, id);
  const verdict = judgeVisitorCookie(visitor, token, site);
  if (visitor === undefined || verdict === 'refused') return { role: 'stranger' };
  const { email } = visitor;
  return verdict === 'admitted' || (await mayOpen(visitors, site, email))
    ? { role: 'person', email }
    : { role: 'stranger' };
}

/** Whether the holder of a normalised address may open a site now: one read, if the site has a list. */
export async function mayOpen(
  visitors: Pick<VisitorStore, 'listOf'>,
  site: ListedSite,
  email: Visitor['email'],
): Promise<boolean> {
  return mayOpenBy(await readPeopleList(visitors, site), site, email);
}

type ListedSite = Pick<ViewedSite, 'projectId' | 'access' | 'peopleStamp'>;

/** Whether the holder of a normalised address may open a site, by the list that was read for it. Pure. */
export function mayOpenBy(
  list: PeopleList | undefined,
  { access, peopleStamp }: ListedSite,
  email: Visitor['email'],
): boolean {
  // Lost with the project's other rows: nobody may come in by half of the rules.
  if (peopleStamp !== undefined && list === undefined) return false;
  return isOnList(list, access, email);
}

/** The list of a site; undefined where it has none, or lost it. */
export async function readPeopleList(
  visitors: Pick<VisitorStore, 'listOf'>,
  { projectId, peopleStamp }: ListedSite,
): Promise<PeopleList | undefined> {
  return peopleStamp === undefined ? undefined : visitors.listOf(projectId, peopleStamp);
}

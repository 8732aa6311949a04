import { epochSeconds } from '../../instants.ts';
import type { Caller } from '../../caller.ts';
import { isPassword } from '../../projects/settings/passwords.ts';
import {
  hashShareToken,
  linkCookieSeconds,
  linkStampOf,
  linkState,
  type ShareLink,
  type ShareLinkId,
  shareLinkIdOf,
  type ShareLinkStore,
} from '../../share-links/share-link.ts';
import { findSite, type FindSiteDeps, type FoundSite, type VisitedAddress } from '../find-site.ts';
import { type Refusal, refuseVisit } from '../refuse-visit.ts';
import { accessToken } from './access-token.ts';
import {
  keepPasswordTry,
  type PasswordTryDeps,
  releasePasswordTry,
  reservePasswordTry,
} from './password-tries.ts';
import { maxPasswordLength, type TooManyTries, tooManyOutcome } from './unlock-site.ts';
import { findViewer, type Viewer, type ViewerDeps } from './viewer.ts';

/** The dependencies for opening share links. */
export interface OpenLinkDeps extends PasswordTryDeps, ViewerDeps, FindSiteDeps {
  shareLinks: Pick<ShareLinkStore, 'find' | 'useOpen'>;
  now(): Date;
}

/** A request to open a link. */
export interface LinkRequest extends VisitedAddress {
  /** From the link's address; undefined for a browser that opened it before, as its cookie shows. */
  token: string | undefined;
  /** The browser's access cookie. */
  access: string;
  /** Whether a person's browser sent it, and no preview, scanner, bot or prefetch. */
  isPerson: boolean;
  /** Whether the button of the page was pressed; then with the password that was entered, if any. */
  isPressed: boolean;
  password?: string | undefined;
}

/** The outcome; `inside` for a browser that has access already, so that nothing is counted. */
export type OpenLinkOutcome =
  | { kind: 'unknown'; what: 'site' | 'file' }
  | { kind: 'refused'; refusal: Refusal }
  /** `hadAccess`: by a cookie of the link, which is of no use any more. */
  | { kind: 'ended'; state: 'expired' | 'used-up'; hadAccess: boolean }
  /** The page with the button, and with a field for the link's password. */
  | { kind: 'asked'; needsPassword: boolean; isWrong?: true }
  | TooManyTries
  | { kind: 'inside' }
  | { kind: 'opened'; token: string; seconds: number };

/** The next step of opening a link. */
export type OpeningStep = 'inside' | 'expired' | 'used-up' | 'ask' | 'check-password' | 'open';

/**
 * The next step of a request to open a link. Pure.
 *
 * A link with a limit always asks for a press: scanners of mails often call themselves a browser, but they press
 * nothing. Whoever opened it before, and comes back for another open, has pressed already.
 */
export function decideOpening(
  link: ShareLink,
  {
    viewer,
    isPerson,
    isPressed,
    password,
  }: Omit<LinkRequest, keyof VisitedAddress | 'token' | 'access'> & { viewer: Viewer },
  now: Date,
): OpeningStep {
  const isReturning = viewer.link?.id === link.id;
  if (viewer.role === 'owner' || (isReturning && viewer.isStale !== true)) return 'inside';
  const state = linkState(link, now);
  if (state !== 'active') return state;
  if (!isPerson) return 'ask';
  if (isReturning) return 'open';
  if (link.passwordHash !== null) return password === undefined ? 'ask' : 'check-password';
  return link.maxOpens !== null && !isPressed ? 'ask' : 'open';
}

/** Opens a link for one browser: counts the open if the link has a limit, and gives its cookie. */
export async function openShareLink(
  deps: OpenLinkDeps,
  caller: Caller,
  request: LinkRequest,
): Promise<OpenLinkOutcome> {
  const site = await findSite(deps, request);
  const now = deps.now();
  // The host of a version shows that version alone, by links of its own.
  if (site === undefined || site.shows !== undefined) return { kind: 'unknown', what: 'site' };
  const viewer = await findViewer(deps, site, { access: request.access, isPageView: true }, now);
  const link = await linkOf(deps, site, viewer, request.token);
  if (link === undefined) {
    const isMissing = refuseVisit(site, 'stranger', now)?.kind === 'missing';
    if (isMissing) return { kind: 'unknown', what: 'site' };
    // A browser whose link has ended is told what the site tells strangers.
    return request.token === undefined ? { kind: 'inside' } : { kind: 'unknown', what: 'file' };
  }
  const refusal = refuseVisit(site, 'link', now);
  if (refusal !== undefined) return { kind: 'refused', refusal };
  const step = decideOpening(link, { viewer, ...request }, now);
  if (step !== 'check-password') return take(deps, link, { step, viewer });
  return enterPassword(deps, caller, { link, site, viewer, password: request.password ?? '' });
}

const tokenShape = /^[\w-]{43}$/;

/** The link of a token, or of the cookie where there is no token. */
async function linkOf(
  { shareLinks }: OpenLinkDeps,
  { projectId }: FoundSite,
  viewer: Viewer,
  token: string | undefined,
): Promise<ShareLink | undefined> {
  if (token === undefined) return viewer.link;
  if (!tokenShape.test(token)) return undefined;
  const link = await shareLinks.find(projectId, shareLinkIdOf(token));
  // Both are hashes of 256 random bits, which nobody can approach by timing.
  return link?.tokenHash === hashShareToken(token) ? link : undefined;
}

interface Taking {
  step: Exclude<OpeningStep, 'check-password'>;
  viewer: Viewer;
}

async function take(
  deps: OpenLinkDeps,
  link: ShareLink,
  { step, viewer }: Taking,
): Promise<OpenLinkOutcome> {
  switch (step) {
    case 'inside':
      return { kind: 'inside' };
    case 'expired':
    case 'used-up':
      return { kind: 'ended', state: step, hadAccess: viewer.link?.id === link.id };
    case 'ask':
      return { kind: 'asked', needsPassword: link.passwordHash !== null };
    case 'open':
      return countOpen(deps, link, viewer);
  }
}

/** Counts the open where the link has a limit. If its owner removed the limit meanwhile, there is nothing to count. */
async function countOpen(
  deps: OpenLinkDeps,
  link: ShareLink,
  viewer: Viewer,
): Promise<OpenLinkOutcome> {
  const now = deps.now();
  const { projectId, id, maxOpens } = link;
  if (maxOpens !== null && !(await deps.shareLinks.useOpen(projectId, id, now))) {
    const current = await deps.shareLinks.find(projectId, id);
    if (current === undefined) return { kind: 'unknown', what: 'file' };
    if (current.maxOpens !== null) {
      const state = linkState(current, now) === 'expired' ? 'expired' : 'used-up';
      return { kind: 'ended', state, hadAccess: viewer.link?.id === id };
    }
  }
  const expires = epochSeconds(now) + linkCookieSeconds;
  const access = { projectId, role: 'link', stamp: linkStampOf(link), expires } as const;
  return {
    kind: 'opened',
    token: accessToken(deps.accessSecret, access),
    seconds: linkCookieSeconds,
  };
}

/** A try is reserved before the password is compared, in budgets of this link, and released when it was right. */
async function enterPassword(
  deps: OpenLinkDeps,
  caller: Caller,
  {
    link,
    site,
    viewer,
    password,
  }: { link: ShareLink; site: FoundSite; viewer: Viewer; password: string },
): Promise<OpenLinkOutcome> {
  const wrong = { kind: 'asked', needsPassword: true, isWrong: true } as const;
  if (password === '' || password.length > maxPasswordLength) return wrong;
  const linkId: ShareLinkId = link.id;
  const attempt = { site, linkId, address: caller.address, access: '' };
  const outcome = await reservePasswordTry(deps, attempt);
  if (outcome.kind === 'refused') return tooManyOutcome(outcome, deps.now());
  if (!(await isPassword(password, link.passwordHash ?? ''))) {
    await keepPasswordTry(deps, outcome.reservations);
    return wrong;
  }
  await releasePasswordTry(deps, outcome.reservations);
  return countOpen(deps, link, viewer);
}

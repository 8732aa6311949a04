import { randomUUID } from 'node:crypto';
import { epochSeconds } from '../../instants.ts';
import type { Caller } from '../../caller.ts';
import { isPassword } from '../../projects/settings/passwords.ts';
import {
  isRepeated,
  linkCookieSeconds,
  linkStampOf,
  linkState,
  type PressId,
  pressIdOf,
  type ShareLink,
  type ShareLinkId,
  shareLinkIdOf,
  type ShareLinkOpens,
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
import { hashSecretText } from '../../secret-text.ts';

/** The dependencies for opening share links. */
export interface OpenLinkDeps extends PasswordTryDeps, ViewerDeps, FindSiteDeps {
  shareLinks: ShareLinkOpens;
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
  /** The secret of the page whose button was pressed, if it has one. */
  page?: string | undefined;
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
    isRepeated: repeats,
    password,
  }: Omit<LinkRequest, keyof VisitedAddress | 'token' | 'access' | 'page'> & {
    viewer: Viewer;
    /** Whether the same browser counted an open a moment ago. */
    isRepeated?: boolean;
  },
  now: Date,
): OpeningStep {
  const isReturning = viewer.link?.id === link.id;
  if (viewer.role === 'owner' || (isReturning && viewer.isStale !== true)) return 'inside';
  const end = endOf(link, repeats, now);
  if (end !== undefined) return end;
  if (!isPerson) return 'ask';
  if (isReturning) return 'open';
  if (link.passwordHash !== null) return password === undefined ? 'ask' : 'check-password';
  return link.maxOpens !== null && !isPressed ? 'ask' : 'open';
}

/** Why a link opens nothing; the browser that has just used the last open may send its request once more. Pure. */
function endOf(link: ShareLink, repeats: boolean | undefined, now: Date) {
  const state = linkState(link, now);
  return state === 'active' || (state === 'used-up' && repeats === true) ? undefined : state;
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
  const press = pressOf(caller, link, viewer, request);
  const repeated = isRepeated(link, press, now);
  const step = decideOpening(link, { viewer, ...request, isRepeated: repeated }, now);
  const opening = { link, viewer, press };
  if (step !== 'check-password') return take(deps, opening, step);
  return enterPassword(deps, caller, { ...opening, site, password: request.password ?? '' });
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
  return link?.tokenHash === hashSecretText(token) ? link : undefined;
}

/**
 * Identifies the browser that opens a link: by its cookie if it comes back, else by the page whose button it presses.
 * A browser sends the same request twice after a double click, and many at once when it restores its tabs.
 */
function pressOf(
  { address }: Caller,
  { id }: ShareLink,
  { link }: Viewer,
  { access, page = randomUUID() }: LinkRequest,
): PressId {
  return pressIdOf(link?.id === id ? access : page, address);
}

interface Opening {
  link: ShareLink;
  viewer: Viewer;
  press: PressId;
}

async function take(
  deps: OpenLinkDeps,
  opening: Opening,
  step: Exclude<OpeningStep, 'check-password'>,
): Promise<OpenLinkOutcome> {
  const { link, viewer } = opening;
  switch (step) {
    case 'inside':
      return { kind: 'inside' };
    case 'expired':
    case 'used-up':
      return { kind: 'ended', state: step, hadAccess: viewer.link?.id === link.id };
    case 'ask':
      return { kind: 'asked', needsPassword: link.passwordHash !== null };
    case 'open':
      return countOpen(deps, opening);
  }
}

/**
 * Counts the open where the link has a limit. If its owner removed the limit meanwhile, or the same browser counted it
 * a moment ago, there is nothing to count.
 */
async function countOpen(
  deps: OpenLinkDeps,
  { link, viewer, press }: Opening,
): Promise<OpenLinkOutcome> {
  const now = deps.now();
  const { projectId, id, maxOpens } = link;
  if (maxOpens !== null && !(await deps.shareLinks.useOpen(link, press, now))) {
    const current = await deps.shareLinks.find(projectId, id);
    if (current === undefined) return { kind: 'unknown', what: 'file' };
    const isExpired = linkState(current, now) === 'expired';
    if (isExpired || (current.maxOpens !== null && !isRepeated(current, press, now))) {
      const state = isExpired ? 'expired' : 'used-up';
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
  { site, password, ...opening }: Opening & { site: FoundSite; password: string },
): Promise<OpenLinkOutcome> {
  const wrong = { kind: 'asked', needsPassword: true, isWrong: true } as const;
  if (password === '' || password.length > maxPasswordLength) return wrong;
  const { link } = opening;
  const linkId: ShareLinkId = link.id;
  const attempt = { site, linkId, address: caller.address, access: '' };
  const outcome = await reservePasswordTry(deps, attempt);
  if (outcome.kind === 'refused') return tooManyOutcome(outcome, deps.now());
  if (!(await isPassword(password, link.passwordHash ?? ''))) {
    await keepPasswordTry(deps, outcome.reservations);
    return wrong;
  }
  await releasePasswordTry(deps, outcome.reservations);
  return countOpen(deps, opening);
}

import { daySeconds } from '../../../contract/limits.ts';
import { randomBytes } from 'node:crypto';
import type { ProjectId } from '../../../contract/fields.ts';
import { epochSeconds } from '../../instants.ts';
import type { Counters } from '../../limits/counters.ts';
import { isSignatureOf, type RotatingSecret, signatureOf } from '../../secrets/rotating-secret.ts';
import { accessToken, ownerStampOf } from './access-token.ts';
import { findSite, type FindSiteDeps, type VisitedAddress } from '../find-site.ts';
import { type Refusal, refuseVisit } from '../refuse-visit.ts';
import type { ServingRecord } from '../serving-record.ts';

/** The content of an owner link's token. */
export interface OwnerLink {
  projectId: ProjectId;
  /** See {@link ownerStampOf}: every change that revokes the owner's cookies revokes the link too. */
  stamp: string;
  id: string;
  /** Epoch seconds, exclusive. */
  expires: number;
  /** The latest end of the owner's cookie: the credential that made the link ends then. Epoch seconds, exclusive. */
  cookieUntil: number;
}

/** Short, because anybody who has the link can use it to view the site as its owner. */
export const ownerLinkSeconds = 600;
/** How long the owner's cookie is valid at most. */
export const ownerCookieSeconds = daySeconds;
const singleUse = [{ limit: 1, windowSeconds: ownerLinkSeconds }];

/** `<project>.<stamp>.<id>.<expires>.<cookieUntil>.<HMAC-SHA256>` */
const tokenPattern = /^([0-9a-f-]{36})\.([\w-]{12})\.([\w-]{22})\.(\d{10})\.(\d{10})\.([\w-]{43})$/;

/** Creates the token of a new link. */
export function newOwnerLinkToken(secret: RotatingSecret, link: Omit<OwnerLink, 'id'>): string {
  const content = serialize({ ...link, id: randomBytes(16).toString('base64url') });
  return `${content}.${signatureOf(secret, 'owner-link', content)}`;
}

/** The dependencies for redeeming links. */
export interface OwnerLinkDeps extends FindSiteDeps {
  counters: Pick<Counters, 'reserve'>;
  accessSecret: RotatingSecret;
  now(): Date;
}

/** The outcome of opening a link; `valid` is one that is only inspected. */
export type OwnerLinkOutcome =
  | { kind: 'unknown'; what: 'site' | 'file' }
  | { kind: 'used' }
  | { kind: 'refused'; refusal: Refusal }
  | { kind: 'valid' }
  | { kind: 'redeemed'; token: string; seconds: number };

/** Checks a link without using it up, for scanners and link previews. */
export async function inspectOwnerLink(
  deps: Omit<OwnerLinkDeps, 'counters'>,
  { token, ...address }: VisitedAddress & { token: string },
): Promise<OwnerLinkOutcome> {
  const found = await findLink(deps, address, token);
  return 'kind' in found ? found : { kind: 'valid' };
}

/** Exchanges a link for the owner's cookie. Of simultaneous requests exactly one succeeds. */
export async function redeemOwnerLink(
  deps: OwnerLinkDeps,
  { token, ...address }: VisitedAddress & { token: string },
): Promise<OwnerLinkOutcome> {
  const found = await findLink(deps, address, token);
  if ('kind' in found) return found;
  const { projectId, stamp, id, cookieUntil } = found;
  const now = deps.now();
  const outcome = await deps.counters.reserve(`owner-link#${id}`, singleUse, now);
  if (!outcome.reserved) return { kind: 'used' };
  // The link's own stamp: if access was revoked since the link was read, the cookie is invalid too.
  const seconds = Math.min(ownerCookieSeconds, cookieUntil - epochSeconds(now));
  const expires = epochSeconds(now) + seconds;
  const access = { projectId, role: 'owner', stamp, expires } as const;
  return { kind: 'redeemed', token: accessToken(deps.accessSecret, access), seconds };
}

async function findLink(
  deps: Omit<OwnerLinkDeps, 'counters'>,
  address: VisitedAddress,
  token: string,
): Promise<OwnerLink | Extract<OwnerLinkOutcome, { kind: 'unknown' | 'refused' }>> {
  const site = await findSite(deps, address);
  const link = site && readOwnerLink(deps.accessSecret, token, site, deps.now());
  if (site === undefined || link === undefined) {
    // Without a valid link, an unpublished site looks like a missing one.
    const isMissing = refuseVisit(site, 'stranger', deps.now())?.kind === 'missing';
    return { kind: 'unknown', what: isMissing ? 'site' : 'file' };
  }
  const refusal = refuseVisit(site, 'owner', deps.now());
  return refusal === undefined ? link : { kind: 'refused', refusal };
}

function readOwnerLink(
  secret: RotatingSecret,
  token: string,
  site: Pick<ServingRecord, 'projectId' | 'ownerId' | 'ownerRevision'>,
  now: Date,
): OwnerLink | undefined {
  const [, project, stamp = '', id = '', ...rest] = tokenPattern.exec(token) ?? [];
  const [expires, cookieUntil, signature = ''] = rest;
  if (project !== site.projectId || stamp !== ownerStampOf(site)) return undefined;
  const ends = { expires: Number(expires), cookieUntil: Number(cookieUntil) };
  const link = { projectId: site.projectId, stamp, id, ...ends };
  if (link.expires <= epochSeconds(now)) return undefined;
  return isSignatureOf(secret, 'owner-link', serialize(link), signature) ? link : undefined;
}

function serialize({ projectId, stamp, id, expires, cookieUntil }: OwnerLink): string {
  return `${projectId}.${stamp}.${id}.${expires}.${cookieUntil}`;
}

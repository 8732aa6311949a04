import { createHmac, randomBytes } from 'node:crypto';
import type { ProjectId } from '../../../contract/fields.ts';
import { epochSeconds } from '../../instants.ts';
import type { Counters } from '../../limits/counters.ts';
import type { SiteDirectory } from '../../ports.ts';
import { isSignedWith, type RotatingSecret } from '../../secrets/rotating-secret.ts';
import { accessToken, ownerStamp } from './access-token.ts';
import { type Decision, refuseVisit } from '../decide-visit.ts';
import type { ServingRecord } from '../serving-record.ts';

/** What a link says by which an owner gets into a site, once. */
export interface OwnerLink {
  projectId: ProjectId;
  /** See {@link ownerStamp}: whatever ends the owner's cookies ends the link as well. */
  stamp: string;
  /** Tells it from every other link. */
  id: string;
  /** Whole seconds since 1970; the second itself is too late. */
  expires: number;
}

/** Whoever holds the link meanwhile becomes the owner for the site. */
export const linkSeconds = 600;
/** A cookie that nothing else ends is over after so long. */
export const ownerSeconds = 86_400;
const onlyOnce = [{ limit: 1, windowSeconds: linkSeconds }];

/** `<project>.<stamp>.<id>.<expires>.<HMAC-SHA256>` */
const shape = /^([0-9a-f-]{36})\.([\w-]{12})\.([\w-]{22})\.(\d{10})\.([\w-]{43})$/;

/** The token of a new link. */
export function newOwnerLinkToken(
  { current }: RotatingSecret,
  link: Omit<OwnerLink, 'id'>,
): string {
  const named = { ...link, id: randomBytes(16).toString('base64url') };
  return `${textOf(named)}.${signatureOf(current, named)}`;
}

/** What redeeming links needs. */
export interface OwnerLinkDeps {
  sites: SiteDirectory;
  counters: Pick<Counters, 'take'>;
  accessSecret: RotatingSecret;
  now(): Date;
}

/** What a link is worth: nothing, no more, nothing at this site now, or the owner's cookie. */
export type OwnerLinkOutcome =
  | { kind: 'unknown'; what: 'site' | 'file' }
  | { kind: 'used' }
  | { kind: 'refused'; decision: Decision }
  | { kind: 'valid' }
  | { kind: 'redeemed'; token: string; seconds: number };

/** Whether a link may still be used; looking at it, as scanners and previews do, does not use it. */
export async function inspectOwnerLink(
  deps: Omit<OwnerLinkDeps, 'counters'>,
  { host, token }: { host: string; token: string },
): Promise<OwnerLinkOutcome> {
  const found = await findLink(deps, host, token);
  return 'kind' in found ? found : { kind: 'valid' };
}

/** Exchanges a link for the owner's cookie; of many that try at once exactly one gets it. */
export async function redeemOwnerLink(
  deps: OwnerLinkDeps,
  { host, token }: { host: string; token: string },
): Promise<OwnerLinkOutcome> {
  const found = await findLink(deps, host, token);
  if ('kind' in found) return found;
  const { projectId, stamp, id } = found;
  const now = deps.now();
  const taken = await deps.counters.take(`owner-link#${id}`, onlyOnce, now);
  if (!taken.taken) return { kind: 'used' };
  // The link's own stamp: what ended it since it was looked at ends the cookie as well.
  const access = {
    projectId,
    role: 'owner',
    stamp,
    expires: epochSeconds(now) + ownerSeconds,
  } as const;
  return { kind: 'redeemed', token: accessToken(deps.accessSecret, access), seconds: ownerSeconds };
}

async function findLink(
  deps: Omit<OwnerLinkDeps, 'counters'>,
  host: string,
  token: string,
): Promise<OwnerLink | Extract<OwnerLinkOutcome, { kind: 'unknown' | 'refused' }>> {
  const site = host === '' ? undefined : await deps.sites.get(host);
  const link = site && readOwnerLink(deps.accessSecret, token, site, deps.now());
  if (site === undefined || link === undefined) {
    // An unpublished site answers as none, to whoever brings no good link.
    const isMissing = refuseVisit(site, 'nobody', deps.now())?.kind === 'missing';
    return { kind: 'unknown', what: isMissing ? 'site' : 'file' };
  }
  const decision = refuseVisit(site, 'owner', deps.now());
  return decision === undefined ? link : { kind: 'refused', decision };
}

function readOwnerLink(
  secret: RotatingSecret,
  token: string,
  site: Pick<ServingRecord, 'projectId' | 'ownerId' | 'ownerRevision'>,
  now: Date,
): OwnerLink | undefined {
  const [, project, stamp = '', id = '', expires, signature = ''] = shape.exec(token) ?? [];
  if (project !== site.projectId || stamp !== ownerStamp(site)) return undefined;
  const link = { projectId: site.projectId, stamp, id, expires: Number(expires) };
  if (link.expires <= epochSeconds(now)) return undefined;
  const isOurs = isSignedWith(secret, signature, (value) => signatureOf(value, link));
  return isOurs ? link : undefined;
}

/** The secret signs other things too: what is signed says that it is an owner's link. */
function signatureOf(secret: string, link: OwnerLink): string {
  return createHmac('sha256', secret)
    .update(`owner-link\n${textOf(link)}`)
    .digest('base64url');
}

function textOf({ projectId, stamp, id, expires }: OwnerLink): string {
  return `${projectId}.${stamp}.${id}.${expires}`;
}

import { createHash, createHmac } from 'node:crypto';
import type { ProjectId } from '../../../contract/fields.ts';
import { epochSeconds } from '../../instants.ts';
import { isSignedWith, type RotatingSecret } from '../../secrets/rotating-secret.ts';
import type { ServingRecord } from '../serving-record.ts';

/** What a token of ours lets its holder do: enter with the password, or enter as the owner. */
export type AccessRole = 'visitor' | 'owner';

/** Who a visitor is to a site. */
export type Entrant = 'owner' | 'visitor' | 'nobody';

/** What a token says. */
export interface Access {
  projectId: ProjectId;
  role: AccessRole;
  /** Of the password that a visitor entered, or see {@link ownerStamp}: another one ends the token. */
  stamp: string;
  /** Whole seconds since 1970; the second itself is too late. */
  expires: number;
}

const letters: Record<AccessRole, string> = { visitor: 'v', owner: 'o' };

/** As the edge function takes it from a cookie: `<project>.<role>.<stamp>.<expires>.<HMAC-SHA256>`. */
const shape = /^([0-9a-f-]{36})\.([vo])\.([\w-]{1,16})\.(\d{10})\.([\w-]{43})$/;

/** A token that nobody can make without the secret. */
export function accessToken({ current }: RotatingSecret, access: Access): string {
  return `${textOf(access)}.${signatureOf(current, access)}`;
}

/** What a token says, if it is ours, for this project and still good; `undefined` otherwise. */
export function readAccessToken(
  secret: RotatingSecret,
  token: string,
  projectId: ProjectId,
  now: Date,
): Access | undefined {
  const access = readSigned(secret, token, projectId);
  return access === undefined || access.expires <= epochSeconds(now) ? undefined : access;
}

/** What a token says, if it is ours and for this project, however old it is. */
function readSigned(
  secret: RotatingSecret,
  token: string,
  projectId: ProjectId,
): Access | undefined {
  const [, project, letter, stamp = '', expires, signature = ''] = shape.exec(token) ?? [];
  const role = roleOf(letter);
  if (project !== projectId || role === undefined) return undefined;
  const access = { projectId, role, stamp, expires: Number(expires) };
  const isOurs = isSignedWith(secret, signature, (value) => signatureOf(value, access));
  return isOurs ? access : undefined;
}

/** Who the holder of a cookie is to a site; whose cookie is of an older password or revision is nobody. */
export function entrantOf(
  secret: RotatingSecret,
  token: string,
  site: Pick<ServingRecord, 'projectId' | 'passwordStamp' | 'ownerId' | 'ownerRevision'>,
  now: Date,
): Entrant {
  const access = readAccessToken(secret, token, site.projectId, now);
  if (access?.role === 'owner') return access.stamp === ownerStamp(site) ? 'owner' : 'nobody';
  const isCurrent = access?.role === 'visitor' && access.stamp === site.passwordStamp;
  return isCurrent ? 'visitor' : 'nobody';
}

/** Somebody who was let into a site before, as their cookie proves. */
export interface EarlierVisit {
  /** Tells their cookie from others. */
  id: string;
  /** Whether they entered the password that is asked for now: a guess would tell them nothing. */
  knowsPassword: boolean;
}

/** For so long after its own end a cookie still tells that its holder was let in. */
const rememberedSeconds = 335 * 86_400;

/** How long a browser keeps the cookie of a visitor whom the password lets in for `seconds`. */
export function rememberedFor(seconds: number): number {
  return seconds + rememberedSeconds;
}

/** The earlier visit that a cookie proves, although it may have ended or be of an older password. */
export function earlierVisit(
  secret: RotatingSecret,
  token: string,
  { projectId, passwordStamp: current }: Pick<ServingRecord, 'projectId' | 'passwordStamp'>,
  now: Date,
): EarlierVisit | undefined {
  const access = readSigned(secret, token, projectId);
  if (access?.role !== 'visitor') return undefined;
  if (rememberedFor(access.expires) <= epochSeconds(now)) return undefined;
  const id = createHash('sha256').update(token).digest('hex').slice(0, 32);
  return { id, knowsPassword: access.stamp === current };
}

/** Tells a password from every other one, and nothing else of it: 72 bits of its salted hash's hash. */
export function passwordStamp(passwordHash: string): string {
  return createHash('sha256').update(passwordHash).digest('base64url').slice(0, 12);
}

/** Tells the present owner's access to a project from any that was ended; see `Project.ownerRevision`. */
export function ownerStamp({
  ownerId,
  ownerRevision,
}: Pick<ServingRecord, 'ownerId' | 'ownerRevision'>): string {
  const text = `${ownerId ?? ''}\n${ownerRevision}`;
  return createHash('sha256').update(text).digest('base64url').slice(0, 12);
}

function roleOf(letter: string | undefined): AccessRole | undefined {
  if (letter === 'v') return 'visitor';
  return letter === 'o' ? 'owner' : undefined;
}

/** The secret signs other things too: what is signed says that it gives access. */
function signatureOf(secret: string, access: Access): string {
  return createHmac('sha256', secret)
    .update(`access\n${textOf(access)}`)
    .digest('base64url');
}

function textOf({ projectId, role, stamp, expires }: Access): string {
  return `${projectId}.${letters[role]}.${stamp}.${expires}`;
}

import { daySeconds } from '../../../contract/limits.ts';
import { createHash } from 'node:crypto';
import type { ProjectId } from '../../../contract/fields.ts';
import { epochSeconds } from '../../instants.ts';
import { isSignatureOf, type RotatingSecret, signatureOf } from '../../secrets/rotating-secret.ts';
import type { ServingRecord } from '../serving-record.ts';

/**
 * How the holder of a token got access: a `guest` entered the password, a `person` proved an e-mail address, the owner
 * used an owner link, others a share link.
 */
export type AccessRole = 'guest' | 'person' | 'owner' | 'link';

/** As whom a request sees a site: as the holder of a valid token, or as a stranger. */
export type ViewerRole = AccessRole | 'stranger';

/** The content of an access token. */
export interface AccessTokenContent {
  projectId: ProjectId;
  role: AccessRole;
  /**
   * {@link passwordStampOf} of a guest, {@link ownerStampOf} of an owner, `linkStampOf` of a share link; when it
   * changes, the token is invalid. That of a person is `visitorStampOf`, and is judged by `findViewer`.
   */
  stamp: string;
  /** Epoch seconds, exclusive. */
  expires: number;
}

const roleLetters: Record<AccessRole, string> = {
  guest: 'v',
  person: 'p',
  owner: 'o',
  link: 's',
};

/** The edge function accepts the same form in a cookie: `<project>.<role>.<stamp>.<expires>.<HMAC-SHA256>`. */
const tokenPattern = /^([0-9a-f-]{36})\.([vpos])\.([\w-]{1,28})\.(\d{10})\.([\w-]{43})$/;

/** Creates a signed token. */
export function accessToken(secret: RotatingSecret, access: AccessTokenContent): string {
  const content = serialize(access);
  return `${content}.${signatureOf(secret, 'access', content)}`;
}

/** The content of a token with a valid signature, for this project and not expired; `undefined` otherwise. */
export function readAccessToken(
  secret: RotatingSecret,
  token: string,
  projectId: ProjectId,
  now: Date,
): AccessTokenContent | undefined {
  const access = readSignedToken(secret, token, projectId);
  return access === undefined || access.expires <= epochSeconds(now) ? undefined : access;
}

/** The content of a token with a valid signature for this project, even if the token has expired. */
function readSignedToken(
  secret: RotatingSecret,
  token: string,
  projectId: ProjectId,
): AccessTokenContent | undefined {
  const [, project, letter, stamp = '', expires, signature = ''] = tokenPattern.exec(token) ?? [];
  const role = roleOf(letter);
  if (project !== projectId || role === undefined) return undefined;
  const access = { projectId, role, stamp, expires: Number(expires) };
  return isSignatureOf(secret, 'access', serialize(access), signature) ? access : undefined;
}

/**
 * The role that a cookie proves. A cookie of an older password or owner revision proves
 * nothing. One of a share link or of a person still has to be compared with its row: see `findViewer`.
 */
export function viewerRoleOf(
  secret: RotatingSecret,
  token: string,
  site: Pick<ServingRecord, 'projectId' | 'passwordStamp' | 'ownerId' | 'ownerRevision'>,
  now: Date,
): ViewerRole {
  const access = readAccessToken(secret, token, site.projectId, now);
  if (access === undefined) return 'stranger';
  if (access.role === 'link' || access.role === 'person') return access.role;
  const current = access.role === 'owner' ? ownerStampOf(site) : site.passwordStamp;
  return access.stamp === current ? access.role : 'stranger';
}

/** An earlier visit to a protected site, proved by a cookie. */
export interface EarlierVisit {
  /** Identifies the cookie. */
  id: string;
  /** Whether the visitor entered the present password: a guess would tell them nothing new. */
  knowsPassword: boolean;
}

/** For this long after its expiry a cookie still proves an earlier visit. */
const cookieExtraSeconds = 335 * daySeconds;

/** How long a browser keeps the cookie of a visitor who has access for `seconds`. */
export function cookieSecondsFor(seconds: number): number {
  return seconds + cookieExtraSeconds;
}

/** The earlier visit that a cookie proves, even if the cookie has expired or is of an older password. */
export function earlierVisit(
  secret: RotatingSecret,
  token: string,
  { projectId, passwordStamp: current }: Pick<ServingRecord, 'projectId' | 'passwordStamp'>,
  now: Date,
): EarlierVisit | undefined {
  const access = readSignedToken(secret, token, projectId);
  if (access?.role !== 'guest') return undefined;
  if (cookieSecondsFor(access.expires) <= epochSeconds(now)) return undefined;
  const id = createHash('sha256').update(token).digest('hex').slice(0, 32);
  return { id, knowsPassword: access.stamp === current };
}

/** Identifies a password without revealing it: 72 bits of the hash of its salted hash. */
export function passwordStampOf(passwordHash: string): string {
  return createHash('sha256').update(passwordHash).digest('base64url').slice(0, 12);
}

/** Identifies the owner's present access; it changes when that access is revoked, see `Project.ownerRevision`. */
export function ownerStampOf({
  ownerId,
  ownerRevision,
}: Pick<ServingRecord, 'ownerId' | 'ownerRevision'>): string {
  const text = `${ownerId ?? ''}\n${ownerRevision}`;
  return createHash('sha256').update(text).digest('base64url').slice(0, 12);
}

function roleOf(letter: string | undefined): AccessRole | undefined {
  if (letter === 'v') return 'guest';
  if (letter === 'p') return 'person';
  if (letter === 's') return 'link';
  return letter === 'o' ? 'owner' : undefined;
}

function serialize({ projectId, role, stamp, expires }: AccessTokenContent): string {
  return `${projectId}.${roleLetters[role]}.${stamp}.${expires}`;
}

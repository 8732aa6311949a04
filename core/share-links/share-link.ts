import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { Instant, ProjectId } from '../../contract/visits/visit-fields.ts';
import { daySeconds } from '../../contract/limits.ts';
import { epochSeconds, hasExpired, plusSeconds } from '../instants.ts';
import { type AccessTokenContent, passwordStampOf } from '../visit/access/access-token.ts';
import { hashSecretText, newToken } from '../secret-text.ts';

// The gate imports this module: `zod/mini` only (decision 0124).

/** Identifies a share link: 96 bits of the hash of its token, in base64url. It gives no access. */
export const ShareLinkId = z
  .string()
  .check(z.regex(/^[\w-]{16}$/))
  .brand<'ShareLinkId'>();
export type ShareLinkId = z.infer<typeof ShareLinkId>;

/** A share link: an address of its own with which its holders open one project. */
export const ShareLink = z.object({
  id: ShareLinkId,
  projectId: ProjectId,
  /** SHA-256 of the token, hexadecimal. The token itself is stored nowhere. */
  tokenHash: z.string(),
  name: z.string(),
  recipients: z.array(z.string()),
  createdAt: Instant,
  expiresAt: z.nullable(Instant),
  maxOpens: z.nullable(z.int()),
  /** Counted only while there is a `maxOpens`; never more than that was. */
  usedOpens: z.int(),
  /** What counted an open in the last minute, and when; see {@link isRepeated}. */
  presses: z.record(z.string(), Instant),
  passwordHash: z.nullable(z.string()),
  downloads: z.boolean(),
  /** The version that it shows; null for the live one. */
  version: z.nullable(z.int()),
  /** Which mails about opens by it the project's owner gets. */
  notify: z.nullable(z.enum(['first', 'daily'])),
  /** When its first open since `notify` was chosen was mailed. */
  firstOpenMailedAt: z.nullable(Instant),
});
export type ShareLink = z.infer<typeof ShareLink>;

/** Identifies a press of the button of a link's page: a hash, which gives no access. */
export const PressId = z
  .string()
  .check(z.regex(/^[\w-]{22}$/))
  .brand<'PressId'>();
export type PressId = z.infer<typeof PressId>;

/** Share links, each below its project. */
export interface ShareLinkStore {
  /** Strongly consistent. */
  find(projectId: ProjectId, id: ShareLinkId): Promise<ShareLink | undefined>;
  /** Newest first. */
  list(projectId: ProjectId): Promise<ShareLink[]>;
  /** False, and nothing is written, if the project has `most` links; `gone` if it is being removed. */
  create(link: ShareLink, most: number): Promise<boolean | 'gone'>;
  /** Replaces these fields; false if there is no such link. */
  update(projectId: ProjectId, id: ShareLinkId, changes: Partial<ShareLink>): Promise<boolean>;
  /** False if there is no such link. */
  remove(projectId: ProjectId, id: ShareLinkId): Promise<boolean>;
}

/** Opens of share links. */
export interface ShareLinkOpens extends Pick<ShareLinkStore, 'find'> {
  /**
   * Uses up one open of a link, for one press. Exact: of simultaneous calls no more than `maxOpens` succeed. False
   * for a link that is used up, has expired or is gone, and for a press that counted an open already.
   */
  useOpen(link: ShareLink, press: PressId, now: Date): Promise<boolean>;
}

/** Links of one project, whatever its plan: a list is read at once. */
export const maxLinksOfProject = 500;

/** What one browser views for so long after it opened a link belongs to the same open. */
const openSeconds = 30 * 60;
/**
 * For so long after an open, files that its pages load still belong to it while the link has opens left: a film or a
 * download takes its time. Of a link that is used up, everything ends with the open.
 */
const loadSeconds = 12 * 3600;
/** A second press of the same page within this time is the same open. */
export const repeatSeconds = 60;
/** The lifetime of a link's cookie. It is always the same, so that the time of the open follows from its end. */
export const linkCookieSeconds = 30 * daySeconds;

/** A new token of 256 random bits in base64url, with the id and the hash that belong to it. */
export function newShareToken(): { token: string; id: ShareLinkId; tokenHash: string } {
  const token = newToken();
  return { token, id: shareLinkIdOf(token), tokenHash: hashSecretText(token) };
}

/** The id of the link that a token belongs to, if there is one. */
export function shareLinkIdOf(token: string): ShareLinkId {
  return ShareLinkId.parse(createHash('sha256').update(token).digest('base64url').slice(0, 16));
}

/** The press of whoever sends the same secret from the same address, such as one page whose button is pressed twice. */
export function pressIdOf(secret: string, address: string): PressId {
  const hash = createHash('sha256').update(`${secret}\n${address}`).digest('base64url');
  return PressId.parse(hash.slice(0, 22));
}

/** Whether a press counted an open a moment ago, so that it counts no other. Pure. */
export function isRepeated({ presses }: Pick<ShareLink, 'presses'>, press: PressId, now: Date) {
  const at = presses[press];
  return at !== undefined && plusSeconds(new Date(at), repeatSeconds) > now;
}

/** The stamp of the cookies of a link: its id and, if it has one, what identifies its password. */
export function linkStampOf({ id, passwordHash }: Pick<ShareLink, 'id' | 'passwordHash'>): string {
  return passwordHash === null ? id : id + passwordStampOf(passwordHash);
}

/** The id of the link that a cookie's stamp names. */
export function linkIdOfStamp(stamp: string): ShareLinkId | undefined {
  return ShareLinkId.safeParse(stamp.slice(0, 16)).data;
}

/** Whether a link can be opened: the state that its owner sees. Pure. */
export function linkState(
  link: Pick<ShareLink, 'expiresAt' | 'maxOpens' | 'usedOpens'>,
  now: Date,
): 'active' | 'expired' | 'used-up' {
  if (hasExpired(link, now)) return 'expired';
  return link.maxOpens !== null && link.usedOpens >= link.maxOpens ? 'used-up' : 'active';
}

/**
 * What a link's cookie gives for one request. `stale`: the page is a new open, which must be counted first. Pure.
 *
 * A link that is used up still admits the browsers whose opens used it up, until these opens end.
 */
export function judgeLinkCookie(
  link: ShareLink | undefined,
  { stamp, expires }: Pick<AccessTokenContent, 'stamp' | 'expires'>,
  { isPageView, now }: { isPageView: boolean; now: Date },
): 'admitted' | 'stale' | 'refused' {
  if (link === undefined || stamp !== linkStampOf(link) || hasExpired(link, now)) return 'refused';
  if (link.maxOpens === null) return 'admitted';
  const age = epochSeconds(now) - (expires - linkCookieSeconds);
  if (age < openSeconds) return 'admitted';
  if (isPageView) return 'stale';
  return age < loadSeconds && linkState(link, now) === 'active' ? 'admitted' : 'refused';
}

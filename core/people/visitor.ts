import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { daySeconds } from '../../contract/limits.ts';
import { Instant, ProjectId } from '../../contract/visits/visit-fields.ts';
import { epochSeconds } from '../instants.ts';
import type { AccessTokenContent } from '../visit/access/access-token.ts';
import type { ServingRecord } from '../visit/serving-record.ts';
import type { PeopleList } from './people-list.ts';

// The gate imports this module: `zod/mini` only (decision 0124).

/** Identifies a visitor of one project: 96 bits of the hash of their address, in base64url. It gives no access. */
export const VisitorId = z
  .string()
  .check(z.regex(/^[\w-]{16}$/))
  .brand<'VisitorId'>();
export type VisitorId = z.infer<typeof VisitorId>;

/** Somebody who proved an address to a project, with all of their browsers. */
export const Visitor = z.object({
  id: VisitorId,
  projectId: ProjectId,
  /** Normalised. */
  email: z.string(),
  /** Cookies from before give no access: the owner ended it then. */
  createdAt: Instant,
  /** When a browser of theirs proved the address last. */
  provedAt: Instant,
  /** When the last of their cookies ends. */
  expiresAt: Instant,
});
export type Visitor = z.infer<typeof Visitor>;

/** Visitors who proved an address, each below their project. */
export interface VisitorStore {
  /** Strongly consistent. */
  find(projectId: ProjectId, id: VisitorId): Promise<Visitor | undefined>;
  /** The list with this stamp, or the newer one that replaced it; undefined where the project has none. */
  listOf(projectId: ProjectId, stamp: string): Promise<PeopleList | undefined>;
  /** A page of those that have not expired; `next` is where the next one begins, undefined after the last. */
  list(
    projectId: ProjectId,
    page: { after: VisitorId | undefined; limit: number; now: Date },
  ): Promise<{ visitors: Visitor[]; next: VisitorId | undefined }>;
  /** Notes that a browser proved an address; `createdAt` of a visitor who is known stays. */
  admit(visitor: Visitor): Promise<void>;
  /** False if there is no such visitor. */
  remove(projectId: ProjectId, id: VisitorId): Promise<boolean>;
}

/** How long one browser keeps access. It is always the same, so that the time of the proof follows from its end. */
export const visitorCookieSeconds = 30 * daySeconds;

/** The id of the visitor with a normalised address. */
export function visitorIdOf(projectId: ProjectId, email: string): VisitorId {
  const hash = createHash('sha256').update(`${projectId}\n${email}`).digest('base64url');
  return VisitorId.parse(hash.slice(0, 16));
}

/** The stamp of a visitor's cookie: their id, and what identifies the rules by which they got in. */
export function visitorStampOf(id: VisitorId, site: Rules): string {
  return id + rulesStampOf(site);
}

/** The id of the visitor that a cookie's stamp names. */
export function visitorIdOfStamp(stamp: string): VisitorId | undefined {
  return VisitorId.safeParse(stamp.slice(0, 16)).data;
}

type Rules = Pick<ServingRecord, 'access' | 'peopleStamp'>;

/** 72 bits of the hash of the access and the list. */
function rulesStampOf({ access, peopleStamp = '' }: Rules): string {
  const text = `${access}\n${peopleStamp}`;
  return createHash('sha256').update(text).digest('base64url').slice(0, 12);
}

/**
 * What a visitor's cookie gives for one request; `ask-list` where the owner changed who may come in since it was
 * given, so that the list decides. Pure.
 */
export function judgeVisitorCookie(
  visitor: Visitor | undefined,
  { stamp, expires }: Pick<AccessTokenContent, 'stamp' | 'expires'>,
  site: Rules,
): 'admitted' | 'ask-list' | 'refused' {
  const provedAt = expires - visitorCookieSeconds;
  if (visitor === undefined || provedAt < epochSeconds(new Date(visitor.createdAt))) {
    return 'refused';
  }
  return stamp === visitorStampOf(visitor.id, site) ? 'admitted' : 'ask-list';
}

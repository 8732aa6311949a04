import { createHmac } from 'node:crypto';
import * as z from 'zod';
import { AccountId, Instant, ProjectId } from '../../contract/fields.ts';
import { callerKey, networkKey } from '../limits/caller-key.ts';
import { instant } from '../instants.ts';

const maxText = 512;
const Text = z.string().max(maxText);

/** Cut to its bound; half of a surrogate pair is no text, and DynamoDB refuses all that comes with it. */
function bounded(text: string): string {
  return text.slice(0, maxText).replaceAll(/\p{Surrogate}/gu, '\uFFFD');
}

/** One request for a page, or one page that became visible; as it waits to be counted. */
export const Hit = z.object({
  /** The same hit has the same id, however often it arrives. */
  id: z.string().regex(/^[\w-]{1,64}$/),
  projectId: ProjectId,
  /** Whose monthly visits it counts to; null while nobody owns the project. */
  ownerId: AccountId.nullable(),
  at: Instant,
  kind: z.enum(['visit', 'open']),
  path: Text,
  userAgent: Text,
  /** Host and path of the page that led here, never one of the same host. */
  referrer: Text.nullable(),
  /** ISO 3166-1 alpha-2, as CloudFront tells it. */
  country: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .nullable(),
  /** See {@link visitorId}. */
  visitor: z.string().regex(/^[0-9a-f]{16}$/),
  /** See {@link networkId}; a hit that waited since before there were any has none. */
  network: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .optional(),
  isOwner: z.boolean(),
  /** A browser asked before anybody did, in case the page will be wanted. */
  prefetch: z.boolean(),
});
export type Hit = z.infer<typeof Hit>;

/** Where hits wait to be counted. */
export interface HitQueue {
  send(hit: Hit): Promise<void>;
}

/** What a visitor's request says of itself. */
export interface Sighting {
  address: string;
  userAgent: string;
  /** An absolute URL; empty where the browser tells none. */
  referrer: string;
  /** Empty where CloudFront does not know. */
  country: string;
}

/** The site that was looked at. */
export interface Sighted {
  projectId: Hit['projectId'];
  ownerId: Hit['ownerId'];
  host: string;
}

/** A hit as it is sent; every text of a stranger's is cut to its bound. */
export function hitOf(
  site: Sighted,
  seen: Sighting,
  what: Pick<Hit, 'id' | 'kind' | 'path' | 'isOwner' | 'prefetch'>,
  { secret, now }: { secret: string; now: Date },
): Hit {
  const { projectId, ownerId, host } = site;
  const userAgent = bounded(seen.userAgent);
  return {
    ...what,
    path: bounded(what.path),
    projectId,
    ownerId,
    at: instant(now),
    userAgent,
    referrer: referrerOf(seen.referrer, host),
    country: /^[A-Z]{2}$/.test(seen.country) ? seen.country : null,
    visitor: visitorId({ projectId, address: seen.address, userAgent }, secret, now),
    network: networkId({ countedFor: ownerId ?? projectId, address: seen.address }, secret, now),
  };
}

/**
 * Whoever looks at a project on one day, under a name that says nothing: it joins an open to its
 * visit. The address itself is stored nowhere; without the secret nobody can try which one it was,
 * and the next day, or at another project, the same visitor has another name.
 */
export function visitorId(
  { projectId, address, userAgent }: { projectId: string; address: string; userAgent: string },
  secret: string,
  now: Date,
): string {
  return nameOfDay(['visitor', projectId, callerKey(address), userAgent], secret, now);
}

/**
 * The network that a visitor comes from, under a name of the same kind: by it the visits are capped
 * that one visitor adds to an account's month. A user agent is changed at will, and so is an IPv6
 * address within its /48, so that neither makes another name.
 */
function networkId(
  { countedFor, address }: { countedFor: string; address: string },
  secret: string,
  now: Date,
): string {
  return nameOfDay(['network', countedFor, networkKey(address)], secret, now);
}

function nameOfDay([kind, ...parts]: readonly string[], secret: string, now: Date): string {
  const day = instant(now).slice(0, 10);
  return createHmac('sha256', secret)
    .update(JSON.stringify([kind, day, ...parts]))
    .digest('hex')
    .slice(0, 16);
}

/** Host and path of another site's page; null for a page of the same host and for what is no address. */
export function referrerOf(referrer: string, ownHost: string): string | null {
  if (referrer === '' || !URL.canParse(referrer)) return null;
  const { protocol, hostname, host, pathname } = new URL(referrer);
  // An app's `android-app://com.example/` tells where somebody came from as well.
  if (!/^(?:https?|android-app):$/.test(protocol) || hostname === '' || hostname === ownHost) {
    return null;
  }
  return `${host}${pathname === '/' ? '' : pathname}`.slice(0, maxText);
}

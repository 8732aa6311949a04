import { createHmac } from 'node:crypto';
import * as z from 'zod/mini';
import { AccountId, Instant, ProjectId } from '../../contract/visits/visit-fields.ts';
import { callerKey, customerKey } from '../limits/caller-key.ts';
import { instant } from '../instants.ts';

const maxText = 512;
const Text = z.string().check(z.maxLength(maxText));

/** Cuts a text to its maximum length. DynamoDB refuses an item with half of a surrogate pair. */
function truncate(text: string): string {
  return text.slice(0, maxText).replaceAll(/\p{Surrogate}/gu, '\uFFFD');
}

/** A share link that a hit names, with the name that it had then. */
export const HitLink = z.object({ id: z.string(), name: z.string() });
export type HitLink = z.infer<typeof HitLink>;

/** One request for a page, or one page that became visible, in the queue. */
export const Hit = z.object({
  /** The same hit has the same id in every delivery. */
  id: z.string().check(z.regex(/^[\w-]{1,64}$/)),
  projectId: ProjectId,
  /** The account whose monthly visits it adds to; null while nobody owns the project. */
  ownerId: z.nullable(AccountId),
  at: Instant,
  kind: z.enum(['visit', 'open']),
  path: Text,
  userAgent: Text,
  /** Host of the linking page, never the same host. */
  referrer: z.nullable(Text),
  /** ISO 3166-1 alpha-2, from CloudFront. */
  country: z.nullable(z.string().check(z.regex(/^[A-Z]{2}$/))),
  /** See {@link visitorId}. */
  visitor: z.string().check(z.regex(/^[0-9a-f]{16}$/)),
  /** See {@link networkId}. */
  network: z.string().check(z.regex(/^[0-9a-f]{16}$/)),
  isOwner: z.boolean(),
  /** Whether a browser loaded the page in advance. */
  prefetch: z.boolean(),
  /** The share link by which the visitor came. */
  link: z.optional(HitLink),
  /** The address that the visitor proved, where the project asks for one. */
  email: z.optional(z.string()),
});
export type Hit = z.infer<typeof Hit>;

/** The queue of hits that are not counted yet. */
export interface HitQueue {
  send(hit: Hit): Promise<void>;
}

/** The facts about a visitor in a request. */
export interface VisitorFacts {
  address: string;
  userAgent: string;
  /** An absolute URL; empty where the browser sends none. */
  referrer: string;
  /** Empty where CloudFront does not know. */
  country: string;
}

/** The site of a hit. */
export interface VisitedSite {
  projectId: Hit['projectId'];
  ownerId: Hit['ownerId'];
  host: string;
}

/** Creates a hit; untrusted texts are cut to their maximum length. */
export function createHit(
  site: VisitedSite,
  visitor: VisitorFacts,
  what: Pick<Hit, 'id' | 'kind' | 'path' | 'isOwner' | 'prefetch' | 'link' | 'email'>,
  { secret, now }: { secret: string; now: Date },
): Hit {
  const { projectId, ownerId, host } = site;
  const userAgent = truncate(visitor.userAgent);
  return {
    ...what,
    path: truncate(what.path),
    projectId,
    ownerId,
    at: instant(now),
    userAgent,
    referrer: referrerOf(visitor.referrer, host),
    country: /^[A-Z]{2}$/.test(visitor.country) ? visitor.country : null,
    visitor: visitorId({ projectId, address: visitor.address, userAgent }, secret, now),
    network: networkId({ countedFor: ownerId ?? projectId, address: visitor.address }, secret, now),
  };
}

/**
 * A pseudonym for a visitor of one project on one day, which joins an open to its visit. The
 * address itself is stored nowhere, and cannot be found by guessing without the secret. The next
 * day, or at another project, the same visitor has another pseudonym.
 */
export function visitorId(
  { projectId, address, userAgent }: { projectId: string; address: string; userAgent: string },
  secret: string,
  now: Date,
): string {
  return dailyPseudonym(['visitor', projectId, callerKey(address), userAgent], secret, now);
}

/**
 * A pseudonym for a visitor's network, which caps the visits that one visitor adds to an account's
 * month. A visitor can change their user agent at will, and an IPv6 address within its /48, so that
 * neither changes the pseudonym.
 */
export function networkId(
  { countedFor, address }: { countedFor: string; address: string },
  secret: string,
  now: Date,
): string {
  return dailyPseudonym(['network', countedFor, customerKey(address)], secret, now);
}

function dailyPseudonym([kind, ...parts]: readonly string[], secret: string, now: Date): string {
  const day = instant(now).slice(0, 10);
  return createHmac('sha256', secret)
    .update(JSON.stringify([kind, day, ...parts]))
    .digest('hex')
    .slice(0, 16);
}

/**
 * A host, perhaps with a port. `URL` accepts stranger hosts; other text that a visitor sends here
 * is ignored.
 */
const plainHost = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/;

/**
 * The host of a linking page; null for a page of the same host, or if the referrer is not a URL.
 * Its path and query are not stored: they may contain secrets, and any visitor can choose them.
 */
export function referrerOf(referrer: string, ownHost: string): string | null {
  // No host is that long, and to read a long one could take tens of milliseconds.
  const url = URL.parse(referrer.slice(0, 2048));
  if (url === null) return null;
  const { protocol, hostname, host } = url;
  // Android apps send `android-app://com.example/`.
  if (!/^(?:https?|android-app):$/.test(protocol) || hostname === '' || hostname === ownHost) {
    return null;
  }
  const name = host.toLowerCase();
  return plainHost.test(name) ? name.slice(0, maxText) : null;
}

/**
 * The part of a request that tells whether it is for a page; `Sec-Fetch-*` values are empty where
 * absent. The edge sets the purpose `part` for a request for a range or for headers only.
 */
export interface RequestFacts {
  method: string;
  fetch: { mode: string; dest: string; site: string; purpose: string };
}

/** The part of a response that tells whether it is for a page. */
export interface ResponseFacts {
  status: number;
  /** Whether the requested resource is HTML, also where a 304 does not say so. */
  isHtml: boolean;
}

/**
 * Classifies a request: for a page, a prefetch of a page, or `undefined` for everything else (assets,
 * HEAD, parts, redirects, errors).
 */
export function classifyPageRequest(
  request: RequestFacts,
  response: ResponseFacts,
): 'page' | 'prefetch' | undefined {
  if (request.method !== 'GET' || (response.status !== 200 && response.status !== 304)) {
    return undefined;
  }
  const { purpose } = request.fetch;
  if (purpose === 'part') return undefined;
  if (/prefetch|prerender|preview/i.test(purpose)) {
    return isNavigation(request) || response.isHtml ? 'prefetch' : undefined;
  }
  return isPageRequest(request, response) ? 'page' : undefined;
}

/** A navigation, a document that another site frames, or HTML for a client without Fetch Metadata. */
function isPageRequest(request: RequestFacts, { isHtml }: ResponseFacts): boolean {
  const { mode, dest } = request.fetch;
  return mode === '' && dest === '' ? isHtml : isNavigation(request);
}

const framed = new Set(['iframe', 'frame', 'embed', 'object']);

function isNavigation({ fetch: { mode, dest, site } }: RequestFacts): boolean {
  if (mode !== 'navigate') return false;
  // A frame in the site's own page is part of that page.
  return dest === 'document' || (framed.has(dest) && site !== 'same-origin');
}

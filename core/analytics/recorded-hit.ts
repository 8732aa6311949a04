import * as z from 'zod';
import { Instant } from '../../contract/fields.ts';
import { type AgentClass, classify } from './classify.ts';
import { describeAgent } from './describe-agent.ts';
import type { Hit } from './hit.ts';

/** Why a hit is no open. */
const Reason = z.enum([
  'bot',
  'preview',
  'mail_scanner',
  'ai',
  'prefetch',
  'owner',
  'excess',
  'unconfirmed',
]);
type Reason = z.infer<typeof Reason>;

/** A hit as it is kept: the user agent only as what it was found to be, the address not at all. */
export const RecordedHit = z.object({
  id: z.string(),
  at: Instant,
  kind: z.enum(['visit', 'open']),
  /** Of a visit: why it is no open, unless one confirms it. Of an open: null, or `owner`. */
  reason: Reason.nullable(),
  path: z.string(),
  referrer: z.string().nullable(),
  country: z.string().nullable(),
  device: z.string().nullable(),
  browser: z.string().nullable(),
  os: z.string().nullable(),
  visitor: z.string(),
});
export type RecordedHit = z.infer<typeof RecordedHit>;

/** What one hit adds. */
export interface Counts {
  visits: number;
  opens: number;
  ownerOpens: number;
}

/** A hit with what it counts as; `undefined` for a script that ran in what is nobody's browser. */
export function recordOf(hit: Hit): { record: RecordedHit; counts: Counts } | undefined {
  const kindOfAgent = classify(hit);
  if (hit.kind === 'open' && (kindOfAgent !== 'person' || hit.prefetch)) return undefined;
  const { id, at, kind, path, referrer, country, visitor, userAgent } = hit;
  const reason = hit.kind === 'visit' ? reasonOf(hit, kindOfAgent) : ownersOwn(hit);
  return {
    record: { id, at, kind, reason, path, referrer, country, visitor, ...describeAgent(userAgent) },
    counts: countsOf(hit, reason),
  };
}

function ownersOwn({ isOwner }: Hit): 'owner' | null {
  return isOwner ? 'owner' : null;
}

function reasonOf({ prefetch, isOwner }: Hit, kindOfAgent: AgentClass): Reason {
  if (kindOfAgent !== 'person') return kindOfAgent;
  if (prefetch) return 'prefetch';
  return isOwner ? 'owner' : 'unconfirmed';
}

/**
 * Visits are page requests of everything that is no known bot: link previews and the owner are in,
 * crawlers, AI fetchers and mail scanners that name themselves are out.
 */
function countsOf({ kind, prefetch }: Hit, reason: Reason | null): Counts {
  const isOwner = reason === 'owner';
  if (kind === 'open') return { visits: 0, opens: isOwner ? 0 : 1, ownerOpens: isOwner ? 1 : 0 };
  const isVisit = !prefetch && (reason === 'unconfirmed' || reason === 'preview' || isOwner);
  return { visits: isVisit ? 1 : 0, opens: 0, ownerOpens: 0 };
}

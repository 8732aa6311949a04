import * as z from 'zod';
import { Instant } from '../../contract/fields.ts';
import { type AgentClass, classifyAgent } from './classify-agent.ts';
import { describeAgent } from './describe-agent.ts';
import { type Hit, HitLink } from './hit.ts';

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

/** The stored form of a hit: it has only a description of the user agent, and no IP address. */
export const RecordedHit = z.object({
  id: z.string(),
  at: Instant,
  kind: z.enum(['visit', 'open']),
  /**
   * For a visit: why it is not an open, unless an open confirms it. For an open: null, or `owner`.
   */
  reason: Reason.nullable(),
  path: z.string(),
  referrer: z.string().nullable(),
  country: z.string().nullable(),
  device: z.string().nullable(),
  browser: z.string().nullable(),
  os: z.string().nullable(),
  visitor: z.string(),
  /** The share link by which the visitor came; absent for others. */
  link: z.optional(HitLink),
  /** The address that the visitor proved; absent where the project asks for none. */
  email: z.optional(z.string()),
});
export type RecordedHit = z.infer<typeof RecordedHit>;

/** Whether a hit is added to the day of its network: all visits, and opens by the owner. */
export function isCapped({ kind, reason }: Pick<RecordedHit, 'kind' | 'reason'>): boolean {
  return kind === 'visit' || reason === 'owner';
}

/** The amounts that one hit adds to the totals. */
export interface HitCounts {
  visits: number;
  opens: number;
  ownerOpens: number;
}

/** A hit with what it adds to the totals; `undefined` for an open that no person's browser reported. */
export function toRecordedHit(hit: Hit): { record: RecordedHit; counts: HitCounts } | undefined {
  const agentClass = classifyAgent(hit);
  if (hit.kind === 'open' && (agentClass !== 'person' || hit.prefetch)) return undefined;
  const { id, at, kind, path, referrer, country, visitor, userAgent, link, email } = hit;
  const reason = hit.kind === 'visit' ? visitReason(hit, agentClass) : ownerReason(hit);
  return {
    record: {
      id,
      at,
      kind,
      reason,
      path,
      referrer,
      country,
      visitor,
      ...describeAgent(userAgent),
      ...(link !== undefined && { link }),
      ...(email !== undefined && { email }),
    },
    counts: countHit(hit, reason),
  };
}

function ownerReason({ isOwner }: Hit): 'owner' | null {
  return isOwner ? 'owner' : null;
}

function visitReason({ prefetch, isOwner }: Hit, agentClass: AgentClass): Reason {
  if (agentClass !== 'person') return agentClass;
  if (prefetch) return 'prefetch';
  return isOwner ? 'owner' : 'unconfirmed';
}

/**
 * Visits are page requests of everything but known bots. Link previews and the owner count; crawlers,
 * AI fetchers and mail scanners that identify themselves do not.
 */
function countHit({ kind, prefetch }: Hit, reason: Reason | null): HitCounts {
  const isOwner = reason === 'owner';
  if (kind === 'open') return { visits: 0, opens: isOwner ? 0 : 1, ownerOpens: isOwner ? 1 : 0 };
  const isVisit = !prefetch && (reason === 'unconfirmed' || reason === 'preview' || isOwner);
  return { visits: isVisit ? 1 : 0, opens: 0, ownerOpens: 0 };
}

import * as z from 'zod';
import { entrantOf } from '../visit/access/access-token.ts';
import type { Caller } from '../caller.ts';
import { callerKey } from '../limits/caller-key.ts';
import type { Counters } from '../limits/counters.ts';
import type { SiteDirectory } from '../ports.ts';
import { refuseVisit } from '../visit/decide-visit.ts';
import { type HitQueue, hitOf, type Sighting } from './hit.ts';
import type { RotatingSecret } from '../secrets/rotating-secret.ts';

/** What recording an open needs. */
export interface OpenDeps {
  sites: SiteDirectory;
  counters: Pick<Counters, 'count'>;
  hits: HitQueue;
  accessSecret: RotatingSecret;
  now(): Date;
}

/** What the script of a page says: which page load, which page, and where its visitor came from. */
export const OpenReport = z.object({
  /** Made by the page at random, once for each load. */
  id: z.string().regex(/^[\w-]{8,64}$/),
  path: z
    .string()
    .regex(/^\/(?!\/)/)
    .max(4096),
  r: z.string().max(4096).default(''),
});
export type OpenReport = z.infer<typeof OpenReport>;

/** Where a report came from. */
export interface OpenRequest {
  host: string;
  /** The token of the visitor's access cookie; `-` for none. */
  access: string;
  userAgent: string;
  country: string;
}

/** Nobody opens more pages of one project in a minute. */
const rule = { limit: 120, windowSeconds: 60 };

/**
 * Hands an open over to be counted. What is no open is passed over in silence: a page that this
 * visitor may not see, a project without analytics, more than any person opens.
 */
export async function recordOpen(
  deps: OpenDeps,
  caller: Caller,
  request: OpenRequest,
  report: OpenReport,
): Promise<void> {
  const site = await deps.sites.get(request.host);
  if (site?.analyticsEnabled !== true) return;
  const now = deps.now();
  const entrant = entrantOf(deps.accessSecret, request.access, site, now);
  if (refuseVisit(site, entrant, now) !== undefined) return;
  const key = `opens#${site.projectId}#${callerKey(caller.address)}`;
  if ((await deps.counters.count(key, rule.windowSeconds, now)) > rule.limit) return;
  const { userAgent, country } = request;
  const seen: Sighting = { address: caller.address, userAgent, referrer: report.r, country };
  const { id, path } = report;
  const what = { id, path, kind: 'open', isOwner: entrant === 'owner', prefetch: false } as const;
  await deps.hits.send(hitOf(site, seen, what, { secret: deps.accessSecret.current, now }));
}

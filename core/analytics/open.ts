import * as z from 'zod/mini';
import { findViewer, type ViewerDeps } from '../visit/access/viewer.ts';
import { findSite, type FindSiteDeps, type VisitedAddress } from '../visit/find-site.ts';
import { refuseVisit } from '../visit/refuse-visit.ts';
import { type HitQueue, createHit, type VisitorFacts } from './hit.ts';

/** The dependencies for recording an open. */
export interface OpenDeps extends FindSiteDeps, ViewerDeps {
  hits: HitQueue;
  now(): Date;
}

/** The report of an open by the script in a page: page load, path and referrer. */
export const OpenReport = z.object({
  /** A random id of the page load. */
  id: z.string().check(z.regex(/^[\w-]{8,64}$/)),
  path: z.string().check(z.regex(/^\/(?!\/)/), z.maxLength(4096)),
  r: z._default(z.string().check(z.maxLength(4096)), ''),
});
export type OpenReport = z.infer<typeof OpenReport>;

/** The report in the query of a GET; `undefined` for any other query. */
export function readOpenQuery(query: string): OpenReport | undefined {
  const fields = Object.fromEntries(new URLSearchParams(query));
  return OpenReport.safeParse(fields).data;
}

/** The request that carried a report. */
export interface OpenRequest extends VisitedAddress {
  /** The token of the visitor's access cookie; `-` for none. */
  access: string;
  address: string;
  userAgent: string;
  country: string;
}

/**
 * Queues an open. Ignored without an error: a page that this visitor may not see, a preview, and a project
 * without analytics. The limit of opens by one network in a minute applies later, when opens are
 * counted.
 */
export async function recordOpen(
  deps: OpenDeps,
  request: OpenRequest,
  report: OpenReport,
): Promise<void> {
  const site = await findSite(deps, request);
  if (site?.analyticsEnabled !== true || site.shows !== undefined) return;
  const now = deps.now();
  // The script reports a page that is shown already.
  const asked = { access: request.access, isPageView: false };
  const { role, link, email } = await findViewer(deps, site, asked, now);
  if (refuseVisit(site, role, now) !== undefined) return;
  const { address, userAgent, country } = request;
  const visitor: VisitorFacts = { address, userAgent, referrer: report.r, country };
  const { id, path } = report;
  const what = {
    id,
    path,
    isOwner: role === 'owner',
    prefetch: false,
    kind: 'open' as const,
    ...(link !== undefined && { link: { id: link.id, name: link.name } }),
    ...(email !== undefined && { email }),
  };
  await deps.hits.send(createHit(site, visitor, what, { secret: deps.accessSecret.current, now }));
}

import { type Hit, hitOf } from '../../core/analytics/hit.ts';
import { pageRequestOf } from '../../core/analytics/page-request.ts';
import type { Outcome } from '../../core/visit/visit-site.ts';
import type { VisitAnswer } from './visit-answer.ts';
import type { VisitRequest } from './visit-request.ts';

/** What a visit is to be counted as; `undefined` where no page was shown, or nothing is to be recorded. */
export function visitHit(
  request: VisitRequest,
  outcome: Outcome,
  answer: VisitAnswer,
  { secret, now }: { secret: string; now: Date },
): Hit | undefined {
  const { site, isOwner, preview } = outcome;
  if (site?.analyticsEnabled !== true || preview === true) return undefined;
  const kind = pageRequestOf(request, { status: answer.status, isHtml: isHtml(outcome, answer) });
  if (kind === undefined) return undefined;
  const { requestId: id, path } = request;
  const what = { id, path, kind: 'visit', isOwner, prefetch: kind === 'prefetch' } as const;
  return hitOf(site, request, what, { secret, now });
}

/** A 304 has no type: then it is that of the file, or of a page of ours. */
function isHtml({ decision }: Outcome, { headers, status }: VisitAnswer): boolean {
  const type = headers['content-type'];
  if (type !== undefined) return type.startsWith('text/html');
  if (status !== 304) return false;
  return 'file' in decision ? decision.file.contentType.startsWith('text/html') : true;
}

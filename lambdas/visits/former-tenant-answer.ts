import type { RotatingSecret } from '../../core/secrets/rotating-secret.ts';
import { isCleared, workerRemoval, workerRemovalScript } from '../../core/visit/former-tenant.ts';
import type { Outcome } from '../../core/visit/visit-site.ts';
import { forOne, type VisitAnswer } from './visit-answer.ts';
import type { VisitRequest } from './visit-request.ts';

/** Where a browser gets its mark; see decision 0034. */
export const clearedPath = '/_slipway/cleared';

/** The same page, for a browser that may hold what a former site left: it forgets that, and then gets its mark. */
export function clearing(answer: VisitAnswer): VisitAnswer {
  if (answer.headers['content-type']?.startsWith('text/html') !== true) return answer;
  const { headers, ...rest } = forOne(answer);
  const mark = `<${clearedPath}>; rel=preload; as=image`;
  const { link } = headers;
  return {
    ...rest,
    headers: {
      ...headers,
      'clear-site-data': '"cache", "storage"',
      link: link === undefined ? mark : `${link}, ${mark}`,
    },
  };
}

/** What a browser gets that asks for the script of a service worker; `answer` is what anybody else would get. */
export function workerAnswer(
  { accessSecret }: { accessSecret: RotatingSecret },
  { cleared }: Pick<VisitRequest, 'cleared'>,
  { outcome, answer }: { outcome: Outcome; answer: VisitAnswer },
  now: Date,
): VisitAnswer {
  const { site = null, decision } = outcome;
  const update = {
    site,
    decision,
    isScript: isScript(answer),
    isCleared: site !== null && isCleared(accessSecret, site, cleared),
  };
  const removal = workerRemoval(update, now);
  if (removal === 'none') return answer;
  return {
    status: 200,
    headers: {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      // The former one may have been allowed more than its folder; a smaller scope is no update of it.
      'service-worker-allowed': '/',
    },
    text: workerRemovalScript(removal),
  };
}

function isScript({ status, headers }: VisitAnswer): boolean {
  const isThere = status === 200 || status === 304;
  return (
    isThere &&
    /^(?:text|application)\/(?:javascript|ecmascript|x-javascript)\b/.test(
      headers['content-type'] ?? '',
    )
  );
}

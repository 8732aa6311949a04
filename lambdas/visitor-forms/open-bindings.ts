import { OpenReport, recordOpen } from '../../core/analytics/open.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { Binding } from '../http/bind.ts';
import { deployedHitQueue } from '../shared/deployed-hit-queue.ts';
import { logger } from '../shared/logger.ts';
import { once } from '../shared/once.ts';
import { siteHost, visitorServices } from './visitor-services.ts';

const services = once(() => ({
  ...visitorServices(),
  hits: deployedHitQueue(),
}));

/** A path of 1,024 bytes may take three times that in a URL. */
const maxBytes = 4096;

/** Takes what the script of a page sends once the page is visible (`sendBeacon`, so as text). */
export const openBindings: Binding[] = [
  {
    method: 'POST',
    route: '/_slipway/open',
    async serve(request) {
      await open(request).catch((error: unknown) =>
        logger.error('an open was not recorded', {
          error: error instanceof Error ? error : String(error),
        }),
      );
      // Whatever it was: nobody waits for the answer, and it tells a stranger nothing.
      const headers = { 'cache-control': 'no-store', 'x-request-id': request.caller.requestId };
      return { statusCode: 204, headers, body: '' };
    },
  },
];

async function open(request: ApiRequest): Promise<void> {
  const { headers, caller } = request;
  const report = OpenReport.safeParse(readReport(request));
  const host = siteHost(request);
  if (!report.success || host === '' || !isOwnPage(request, host)) return;
  const asked = {
    host,
    access: headers['x-slipway-access'] ?? '-',
    userAgent: headers['user-agent'] ?? '',
    country: headers['cloudfront-viewer-country'] ?? '',
  };
  await recordOpen(services(), caller, asked, report.data);
}

function readReport({ body }: ApiRequest): unknown {
  if (body.length > maxBytes) return undefined;
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Only a browser on a page of the site itself: another site must not make a visitor open pages.
 * `Sec-Fetch-Site` is believed first, because a page without referrers sends `Origin: null`.
 */
function isOwnPage({ headers }: ApiRequest, host: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const origin = headers['origin'] ?? '';
  return URL.canParse(origin) && new URL(origin).hostname === host;
}

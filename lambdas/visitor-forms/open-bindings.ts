import { parseJson } from '../../core/json.ts';
import { OpenReport, recordOpen } from '../../core/analytics/open.ts';
import { noToken } from '../../core/visit/access/viewer.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { Binding } from '../http/bind.ts';
import { deployedHitQueue } from '../shared/deployed-hit-queue.ts';
import { logError } from '../shared/logger.ts';
import { lazy } from '../shared/lazy.ts';
import { siteAddress, visitorServices } from './visitor-services.ts';

const services = lazy(() => ({
  ...visitorServices(),
  hits: deployedHitQueue(),
}));

/** Enough for a path of 1,024 bytes, each percent-encoded as three. */
const maxBytes = 4096;

/**
 * Receives the report of a page's script (`sendBeacon`, hence as text) that cannot be sent to the
 * gate by GET; see `openPath`.
 */
export const openBindings: Binding[] = [
  {
    method: 'POST',
    route: '/_slipway/open',
    async serve(request) {
      await recordReport(request).catch((error: unknown) =>
        logError('an open was not recorded', error),
      );
      // The same response in every case: nobody waits for it, and it tells a stranger nothing.
      const headers = { 'cache-control': 'no-store', 'x-request-id': request.caller.requestId };
      return { statusCode: 204, headers, body: '' };
    },
  },
];

async function recordReport(request: ApiRequest): Promise<void> {
  const { headers, caller } = request;
  const report = OpenReport.safeParse(readReport(request));
  const address = siteAddress(request);
  const { host } = address;
  if (!report.success || host === '' || !isOwnPage(request, host)) return;
  const origin = {
    ...address,
    access: headers['x-slipway-access'] ?? noToken,
    address: caller.address,
    userAgent: headers['user-agent'] ?? '',
    country: headers['cloudfront-viewer-country'] ?? '',
  };
  await recordOpen(services(), origin, report.data);
}

function readReport({ body }: ApiRequest): unknown {
  return body.length > maxBytes ? undefined : parseJson(body.toString('utf8'));
}

/**
 * Whether a page of the site itself sent the report: another site must not count opens in a visitor's name.
 * `Sec-Fetch-Site` is checked first, because a page with `Referrer-Policy: no-referrer` sends `Origin: null`.
 */
function isOwnPage({ headers }: ApiRequest, host: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const origin = headers['origin'] ?? '';
  return URL.parse(origin)?.hostname === host;
}

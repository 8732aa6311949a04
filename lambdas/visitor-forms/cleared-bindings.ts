import { epochSeconds } from '../../core/instants.ts';
import {
  clearedMark,
  clearedPath,
  clearingEndsAt,
  wasJustCleared,
} from '../../core/visit/former-tenant.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { Binding } from '../http/bind.ts';
import { visitedSite, visitorServices } from './visitor-services.ts';

/**
 * A page that clears a browser links to this address, and the browser fetches it together with the
 * page, because the gate cannot set a cookie. The cookie records that this browser was cleared. A
 * site whose address had no former owner sets none.
 */
export const clearedBindings: Binding[] = [
  {
    method: 'GET',
    route: clearedPath,
    async serve(request) {
      const cookie = await clearedCookie(request);
      const headers = {
        'cache-control': 'no-store',
        'x-request-id': request.caller.requestId,
        ...(cookie !== undefined && { 'set-cookie': cookie }),
      };
      return { statusCode: 204, headers, body: '' };
    },
  },
];

/** Another site must not mark a browser as cleared. */
async function clearedCookie(request: ApiRequest): Promise<string | undefined> {
  const { 'sec-fetch-site': from = 'same-origin' } = request.headers;
  const site = from === 'same-origin' ? await visitedSite(request) : undefined;
  const endsAt = site && clearingEndsAt(site);
  if (site === undefined || endsAt === undefined) return undefined;
  const { accessSecret, now } = visitorServices();
  const browser = { site, address: request.caller.address, by: request.query['by'] ?? '' };
  if (!wasJustCleared(accessSecret, browser, now())) return undefined;
  const leftSeconds = epochSeconds(endsAt) - epochSeconds(now());
  if (leftSeconds <= 0) return undefined;
  const mark = clearedMark(accessSecret, site);
  return `__Host-slipway-cleared=${mark}; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=${leftSeconds}`;
}

import { type OpenDeps, readOpenQuery, recordOpen } from '../../core/analytics/open.ts';
import { logError } from '../shared/logger.ts';
import type { EdgeRequest } from './edge-request.ts';
import { sendText, type UrlResult } from './send-response.ts';

/**
 * Queues the open that a page's script reports by GET. The response is the same in every case:
 * nobody waits for it, and it tells a stranger nothing.
 */
export async function serveOpenReport(
  deps: Omit<OpenDeps, 'now'>,
  request: EdgeRequest,
  now: Date,
): Promise<UrlResult> {
  await recordReport({ ...deps, now: () => now }, request).catch((error: unknown) =>
    logError('an open was not recorded', error, { requestId: request.requestId }),
  );
  return sendText(request, { status: 204, headers: { 'cache-control': 'no-store' } });
}

async function recordReport(deps: OpenDeps, request: EdgeRequest): Promise<void> {
  if (!isOwnScript(request)) return;
  const report = readOpenQuery(request.query);
  if (report !== undefined) await recordOpen(deps, request, report);
}

/**
 * Whether a script of the site itself made the request, and not as a prefetch. Otherwise an image
 * or a link of another site could count opens in a visitor's name; browsers send no `Origin` with a
 * GET.
 */
function isOwnScript({ method, fetch: { site, dest, purpose } }: EdgeRequest): boolean {
  return method === 'GET' && site === 'same-origin' && dest === 'empty' && purpose === '';
}

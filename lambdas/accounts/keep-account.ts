import {
  findDeletion,
  stopDeletion,
  type StopDeletionDeps,
} from '../../core/accounts/closing/stop-deletion.ts';
import { CodedError } from '../../core/errors.ts';
import {
  accountKeptPage,
  keepAccountPage,
  keepNothingPage,
  keepTooOftenPage,
} from '../../web/pages/keep-account-pages.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { Binding } from '../http/bind.ts';
import { type PageResponse, pageResponse } from '../http/page-response.ts';
import { setting } from '../shared/settings.ts';

/**
 * `/account/keep/<link>`: the page of the link in mails to an account that is being deleted. Plain
 * forms, no script, no sign-in: only somebody who reads the account's mails has the link.
 */
export function keepAccountBindings(services: () => StopDeletionDeps): Binding[] {
  return [
    keepRoute('GET', async (request, brand) => {
      const found = await findDeletion(services(), request.caller, linkOf(request));
      return found && { status: 200, page: keepAccountPage({ brand, until: found.until }) };
    }),
    keepRoute('POST', async (request, brand) => {
      const isStopped = await stopDeletion(services(), request.caller, linkOf(request));
      return isStopped ? { status: 200, page: accountKeptPage({ brand }) } : undefined;
    }),
  ];
}

function keepRoute(
  method: 'GET' | 'POST',
  show: (request: ApiRequest, brand: string) => Promise<PageResponse | undefined>,
): Binding {
  return {
    method,
    route: '/account/keep/{link}',
    async serve(request) {
      const brand = setting('BRAND');
      try {
        const shown = await show(request, brand);
        return pageResponse(request, shown ?? { status: 404, page: keepNothingPage({ brand }) });
      } catch (error) {
        if (!(error instanceof CodedError) || error.code !== 'RATE_LIMITED') throw error;
        const page = keepTooOftenPage({ brand, detail: error.message });
        const answer = pageResponse(request, { status: error.status, page });
        const wait = String(error.body['retryAfterSeconds']);
        return { ...answer, headers: { ...answer.headers, 'retry-after': wait } };
      }
    },
  };
}

function linkOf({ pathParameters }: ApiRequest): string {
  return pathParameters['link'] ?? '';
}

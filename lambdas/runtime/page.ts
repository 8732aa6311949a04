import type { Page } from '../../web/pages/page.ts';
import type { Binding } from './bind.ts';

/** A page of the app host as a route: HTML under its own strict policy, never framed, never stored. */
export function page(route: string, render: () => Page): Binding {
  return {
    method: 'GET',
    route,
    async serve(request) {
      const { html, csp } = render();
      return {
        statusCode: 200,
        headers: { ...pageHeaders(csp), 'x-request-id': request.caller.requestId },
        body: html,
      };
    },
  };
}

/** Headers of every page that we write ourselves. */
export function pageHeaders(csp: string) {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': csp,
    'cache-control': 'private, no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  };
}

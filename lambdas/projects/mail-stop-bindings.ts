import {
  findMails,
  type MailStopDeps,
  stopMails,
  type StoppedMails,
} from '../../core/analytics/mail-stops.ts';
import {
  mailsStoppedPage,
  stopMailsPage,
  stopNothingPage,
} from '../../web/pages/stop-mails-pages.ts';
import type { Page } from '../../web/pages/parts/page.ts';
import type { Binding } from '../http/bind.ts';
import { pageResponse } from '../http/page-response.ts';
import { setting } from '../shared/settings.ts';

/**
 * `/mails/stop/<token>`: the page of the link in mails about opens, whose button stops them. Mail programs send the
 * same form without asking (RFC 8058 §3.2), so it needs no cookie and no sign-in.
 */
export function mailStopBindings(services: () => MailStopDeps): Binding[] {
  return [
    route('GET', stopMailsPage, (token) => findMails(services(), token)),
    route('POST', mailsStoppedPage, (token) => stopMails(services(), token)),
  ];
}

function route(
  method: 'GET' | 'POST',
  show: (mails: StoppedMails & { brand: string }) => Page,
  find: (token: string) => Promise<StoppedMails | undefined>,
): Binding {
  return {
    method,
    route: '/mails/stop/{token}',
    async serve(request) {
      const brand = setting('BRAND');
      const mails = await find(request.pathParameters['token'] ?? '');
      return mails === undefined
        ? pageResponse(request, { status: 404, page: stopNothingPage({ brand }) })
        : pageResponse(request, { status: 200, page: show({ ...mails, brand }) });
    },
  };
}

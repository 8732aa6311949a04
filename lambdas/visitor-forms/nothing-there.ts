import { notFoundPage } from '../../web/pages/visitor/not-found-page.ts';
import type { Binding } from '../http/bind.ts';
import { visitorPage, visitorServices } from './visitor-services.ts';

/** What stands below `/_slipway/` beside all that means something: the page that every wrong path of a site has. */
export const nothingThere: Binding[] = ['/_slipway', '/_slipway/{rest+}'].map((route) => ({
  method: 'GET',
  route,
  async serve(request) {
    const page = notFoundPage({ brand: visitorServices().brand, kind: 'file' });
    return visitorPage(request, { status: 404, page });
  },
}));

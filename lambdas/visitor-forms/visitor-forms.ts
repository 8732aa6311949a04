import type { APIGatewayProxyResult } from 'aws-lambda';
import { errorPage, notFoundPage } from '../../web/pages/visitor/refusal-pages.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { Binding } from '../http/bind.ts';
import { accessBindings } from './access-bindings.ts';
import { addressBindings } from './address-bindings.ts';
import { clearedBindings } from './cleared-bindings.ts';
import { endpoint } from '../http/endpoint.ts';
import { unavailableResponse } from '../http/app-pages.ts';
import { feedBindings } from './feed-bindings.ts';
import { openBindings } from './open-bindings.ts';
import { shareBindings } from './share-bindings.ts';
import { previewBindings } from './preview-bindings.ts';
import { reportBindings } from './report-bindings.ts';
import { visitorPage, visitorServices } from './visitor-services.ts';

/** Every other path below `/_slipway/` gets the same 404 page as a wrong path of the site. */
const notFoundBindings: Binding[] = ['/_slipway', '/_slipway/{rest+}'].map((route) => ({
  method: 'ANY',
  route,
  async serve(request) {
    const page = notFoundPage({ brand: visitorServices().brand, kind: 'file' });
    return visitorPage(request, { status: 404, page });
  },
}));

/** `/_slipway/…` on every site's own host: password form, proofs of an e-mail address, owner links, share links, preview links, abuse reports, open reports, the cookie of a cleared browser, and the feed of versions. */
export const handler = endpoint(
  [
    ...accessBindings,
    ...addressBindings,
    ...shareBindings,
    ...previewBindings,
    ...reportBindings,
    ...openBindings,
    ...clearedBindings,
    ...feedBindings,
    ...notFoundBindings,
  ],
  { hasNoOptions: true, wrongMethodPage, unavailablePage: unavailableResponse },
);

function wrongMethodPage(request: ApiRequest): APIGatewayProxyResult {
  const page = errorPage({
    brand: visitorServices().brand,
    status: 405,
    title: 'This address does not accept what was sent to it',
    text: 'Nothing was changed. Open the site again, and use the form on its page.',
  });
  return visitorPage(request, { status: 405, page });
}

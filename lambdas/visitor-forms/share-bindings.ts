import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { type OpenLinkOutcome, openShareLink } from '../../core/visit/access/open-share-link.ts';
import { isPerson } from '../../core/visit/access/opened-by-person.ts';
import { noToken } from '../../core/visit/access/viewer.ts';
import { shareLinkPage } from '../../web/pages/visitor/access-pages.ts';
import { endedLinkPage } from '../../web/pages/visitor/refusal-pages.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { Binding } from '../http/bind.ts';
import { isPlainForm, readPlainForm } from '../http/request-body.ts';
import { seeOther } from '../http/page-response.ts';
import { missingPage, refusalPage } from '../visits/refusal-page.ts';
import {
  accessCookie,
  isFromOtherSite,
  localPath,
  siteAddress,
  tooManyTriesText,
  visitorPage,
  visitorServices,
} from './visitor-services.ts';
import { withRetryAfter } from '../http/with-headers.ts';

/**
 * How a visitor opens a share link: at its address, with the button of its page, and once more at the address
 * to which the gate sends a browser whose open has ended.
 */
export const shareBindings: Binding[] = [
  {
    method: 'GET',
    route: '/_slipway/share/{token}',
    serve: (request) => open(request, { token: request.pathParameters['token'] ?? '' }),
  },
  {
    method: 'GET',
    route: '/_slipway/share',
    serve: (request) => open(request, { to: request.query['to'] }),
  },
  {
    method: 'POST',
    route: '/_slipway/share',
    serve: (request) => open(request, isPlainForm(request) ? readPlainForm(request.body) : {}),
  },
];

/** The fields of the form. */
interface Fields {
  token?: string | undefined;
  to?: string | undefined;
  page?: string | undefined;
  password?: string | undefined;
}

async function open(request: ApiRequest, fields: Fields): Promise<APIGatewayProxyResult> {
  const { method, headers, caller } = request;
  const isPressed = method === 'POST' && !isFromOtherSite(request);
  const outcome = await openShareLink(visitorServices(), caller, {
    ...siteAddress(request),
    token: fields.token,
    access: headers['x-slipway-access'] ?? noToken,
    isPerson: method !== 'HEAD' && isPerson(headers),
    isPressed,
    page: fields.page === '' ? undefined : fields.page,
    password: isPressed ? fields.password : undefined,
  });
  return response(request, fields, outcome);
}

function response(
  request: ApiRequest,
  { token, to }: Fields,
  outcome: OpenLinkOutcome,
): APIGatewayProxyResult {
  const { brand } = visitorServices();
  const at = { brand, domainId: siteAddress(request).domainId };
  const returnTo = localPath(to);
  const form = { brand, token, page: randomUUID(), returnTo };
  switch (outcome.kind) {
    case 'inside':
      return seeOther(request, returnTo);
    case 'opened':
      return seeOther(request, returnTo, [accessCookie(outcome.token, outcome.seconds)]);
    case 'asked': {
      const { needsPassword, isWrong } = outcome;
      const error = isWrong === true ? 'The password is wrong. Try again.' : undefined;
      const page = shareLinkPage({ ...form, needsPassword, error });
      return visitorPage(request, { status: isWrong === true ? 401 : 200, page });
    }
    case 'too-many': {
      const page = shareLinkPage({
        ...form,
        needsPassword: true,
        error: tooManyTriesText(outcome),
      });
      return withRetryAfter(visitorPage(request, { status: 429, page }), outcome.retryAfterSeconds);
    }
    case 'refused':
      return visitorPage(request, refusalPage(at, outcome.refusal, '/'));
    case 'ended': {
      const cookies = outcome.hadAccess ? [accessCookie('', 0)] : [];
      const page = endedLinkPage({ brand, state: outcome.state });
      return visitorPage(request, { status: 410, page, cookies });
    }
    case 'unknown':
      return visitorPage(request, { status: 404, page: missingPage(at, outcome.what) });
  }
}

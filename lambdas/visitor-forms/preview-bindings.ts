import type { APIGatewayProxyResult } from 'aws-lambda';
import { epochSeconds } from '../../core/instants.ts';
import { readPreviewHost } from '../../core/projects/addresses/preview-host.ts';
import { readPreviewToken } from '../../core/visit/access/preview.ts';
import { errorPage } from '../../web/pages/visitor/refusal-pages.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { Binding } from '../http/bind.ts';
import { missingPage } from '../visits/refusal-page.ts';
import { siteAddress, visitedSite, visitorPage, visitorServices } from './visitor-services.ts';
import { withHeaders } from '../http/with-headers.ts';

const cookie = (value: string, maxAgeSeconds: number) =>
  `__Host-slipway-preview=${value}; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=${maxAgeSeconds}`;
const noCookie = cookie('', 0);

/** The three addresses of a preview: its link, the link that leaves it, and the page that says that it has ended. */
export const previewBindings: Binding[] = [
  {
    method: 'GET',
    route: '/_slipway/preview/off',
    serve: async (request) => redirectHome(request, noCookie),
  },
  { method: 'GET', route: '/_slipway/preview/ended', serve: previewEndedPage },
  { method: 'GET', route: '/_slipway/preview/{token}', serve: startPreview },
];

async function startPreview(request: ApiRequest): Promise<APIGatewayProxyResult> {
  const { brand, accessSecret, now } = visitorServices();
  const token = request.pathParameters['token'] ?? '';
  const site = await visitedSite(request);
  const at = now();
  const preview = site && readPreviewToken(accessSecret, token, site, at);
  if (preview === undefined) {
    const page = missingPage(
      { brand, domainId: siteAddress(request).domainId },
      site === undefined ? 'site' : 'file',
    );
    return visitorPage(request, { status: 404, page });
  }
  return redirectHome(request, cookie(token, preview.expires - epochSeconds(at)));
}

async function previewEndedPage(request: ApiRequest): Promise<APIGatewayProxyResult> {
  const isPinned = readPreviewHost(siteAddress(request).host) !== undefined;
  const page = errorPage({
    brand: visitorServices().brand,
    status: 404,
    ...endedTexts(isPinned),
  });
  const response = visitorPage(request, { status: 404, page });
  return withHeaders(response, { 'set-cookie': noCookie });
}

function endedTexts(isPinned: boolean) {
  return isPinned
    ? {
        title: 'This preview needs its link',
        text: 'This address shows one version of a site to people who opened a link to it, for as long as that link works. Ask the owner of the site for a new link.',
      }
    : {
        title: 'This version has been deleted',
        text: 'You were looking at a version that its owner has deleted since. Open the site again to see the live version. If somebody sent you a link to it, ask them for a new one.',
      };
}

function redirectHome(request: ApiRequest, setCookie: string): APIGatewayProxyResult {
  const headers = {
    location: '/',
    'set-cookie': setCookie,
    'cache-control': 'private, no-store',
    'referrer-policy': 'no-referrer',
    'x-request-id': request.caller.requestId,
  };
  return { statusCode: 302, headers, body: '' };
}

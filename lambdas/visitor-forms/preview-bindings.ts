import type { APIGatewayProxyResult } from 'aws-lambda';
import { epochSeconds } from '../../core/instants.ts';
import { readPreviewToken } from '../../core/visit/access/preview-token.ts';
import { errorPage } from '../../web/pages/visitor/error-page.ts';
import { notFoundPage } from '../../web/pages/visitor/not-found-page.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { Binding } from '../http/bind.ts';
import { visitedSite, visitorPage, visitorServices } from './visitor-services.ts';

const cookie = (value: string, maxAgeSeconds: number) =>
  `__Host-slipway-preview=${value}; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=${maxAgeSeconds}`;
const noCookie = cookie('', 0);

/** The three addresses of a preview: its link, the way out, and where it ends by itself. */
export const previewBindings: Binding[] = [
  {
    method: 'GET',
    route: '/_slipway/preview/off',
    serve: async (request) => home(request, noCookie),
  },
  { method: 'GET', route: '/_slipway/preview/ended', serve: ended },
  { method: 'GET', route: '/_slipway/preview/{token}', serve: begin },
];

async function begin(request: ApiRequest): Promise<APIGatewayProxyResult> {
  const { brand, accessSecret, now } = visitorServices();
  const token = request.pathParameters['token'] ?? '';
  const site = await visitedSite(request);
  const at = now();
  const preview = site && readPreviewToken(accessSecret, token, site.projectId, at);
  if (preview === undefined) {
    const page = notFoundPage({ brand, kind: site === undefined ? 'site' : 'file' });
    return visitorPage(request, { status: 404, page });
  }
  return home(request, cookie(token, preview.expires - epochSeconds(at)));
}

async function ended(request: ApiRequest): Promise<APIGatewayProxyResult> {
  const page = errorPage({
    brand: visitorServices().brand,
    status: 404,
    title: 'This version is not kept any more',
    text: 'You were looking at a preview. Newer versions have taken its place; open the site again to see the live one.',
  });
  const answer = visitorPage(request, { status: 404, page });
  return { ...answer, headers: { ...answer.headers, 'set-cookie': noCookie } };
}

function home(request: ApiRequest, setCookie: string): APIGatewayProxyResult {
  const headers = {
    location: '/',
    'set-cookie': setCookie,
    'cache-control': 'private, no-store',
    'referrer-policy': 'no-referrer',
    'x-request-id': request.caller.requestId,
  };
  return { statusCode: 302, headers, body: '' };
}

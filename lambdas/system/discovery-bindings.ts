import type { APIGatewayProxyResult } from 'aws-lambda';
import { CodedError } from '../../core/errors.ts';
import { missingPage } from '../../web/pages/missing-page.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { Binding } from '../http/bind.ts';
import { allowAnyOrigin } from '../http/endpoint.ts';
import { acceptsPage, page, pageResponse } from '../http/page-response.ts';
import { serveRoute } from '../http/serve-route.ts';
import { appPages } from '../http/app-pages.ts';
import { setting } from '../shared/settings.ts';
import { parseGuide } from '../../contract/discovery/connect-guide.ts';
import { iconPaths, toolIconPath, toolIconSvg } from '../../contract/discovery/icons.ts';
import { policyPaths } from '../../contract/discovery/policies.ts';
import {
  serverCard,
  serverCardPaths,
  serverCardType,
} from '../../contract/discovery/server-card.ts';
import { insertInstallationNames } from '../../contract/llms/insert-installation-names.ts';
import { mcpResource } from '../../contract/oauth/oauth.ts';
import { tools } from '../../contract/tools.ts';
import { connectPage } from '../../web/pages/connect-page.ts';
import { faviconSvg, pngIcon } from '../../web/pages/parts/drawings.ts';
import { discoveryResponse } from '../http/discovery-response.ts';
import { deployedPolicies } from '../shared/policies.ts';
import { installation } from '../shared/installation.ts';
import { fileBinding } from './host-file-bindings.ts';
import { securityTxtResponse } from './security-txt-response.ts';
import { commandPackageBinding } from './command-package.ts';

/** Every address of the app host that has no route of its own in API Gateway. */
export const missingAddressBinding: Binding = allowAnyOrigin({
  method: 'ANY',
  route: '/{rest+}',
  serve: serveRest,
});

async function serveRest(request: ApiRequest): Promise<APIGatewayProxyResult> {
  const route = `/${(request.pathParameters['rest'] ?? '').replace(/\/+$/, '')}`;
  if (!discoveryBindings.some((binding) => binding.route === route)) return missingAddress(request);
  return serveRoute(discoveryBindings, appPages, { ...request, route });
}

/**
 * A page for a person in a browser, and JSON for a program. Addresses of the API always answer JSON.
 * @throws CodedError NOT_FOUND
 */
export function missingAddress(request: ApiRequest): APIGatewayProxyResult {
  const isOfApi = request.pathParameters['rest']?.startsWith('v1/') === true;
  if (isOfApi || !acceptsPage(request)) {
    throw new CodedError('NOT_FOUND', { error: 'There is nothing at this method and path.' });
  }
  return pageResponse(request, { status: 404, page: missingPage(setting('BRAND')) });
}

/**
 * Where people and clients find out about the service: the page about connecting, the server card,
 * the icons, and the operator's pages. API Gateway serves these addresses by its route `/{rest+}`,
 * because a separate route for each would need two of the 500 resources of a stack.
 */
const discoveryBindings: readonly Binding[] = [
  { method: 'GET', route: serverCardPaths[0], serve: serveCard },
  { method: 'GET', route: '/security.txt', serve: async (request) => securityTxtResponse(request) },
  { method: 'GET', route: policyPaths.privacy, serve: (request) => leadTo(request, 'privacy') },
  { method: 'GET', route: policyPaths.terms, serve: (request) => leadTo(request, 'terms') },
  { method: 'GET', route: '/connect', serve: serveConnectPage },
  commandPackageBinding,
  fileBinding(iconPaths.svg, 'image/svg+xml', { body: faviconSvg }),
  fileBinding(iconPaths.png, 'image/png', { body: pngIcon, isBase64Encoded: true }),
  ...tools.map(({ icon }) =>
    fileBinding(toolIconPath(icon), 'image/svg+xml', { body: toolIconSvg(icon) }),
  ),
];

async function serveCard(request: ApiRequest) {
  return discoveryResponse(request, serverCardType, serverCard(installation()));
}

/** The guide is read when somebody opens the page, not at a cold start. */
async function serveConnectPage(request: ApiRequest) {
  const { guideTexts } = await import('./guide-texts.ts');
  const names = {
    ...installation(),
    sitesDomain: setting('SITES_DOMAIN'),
    keyPrefix: setting('KEY_PREFIX'),
  };
  const sections = parseGuide(guideTexts.connect).map(({ name, blocks }) => ({
    name,
    blocks: blocks.map((block) => ({
      ...block,
      text: insertInstallationNames(block.text, names),
    })),
  }));
  const { brand, baseUrl } = names;
  const render = () => connectPage({ brand, endpoint: mcpResource(baseUrl), sections });
  return page('/connect', render).serve(request);
}

/** Redirects to the operator's page. @throws CodedError NOT_FOUND if the operator has no such page */
async function leadTo({ caller }: ApiRequest, which: 'privacy' | 'terms') {
  const location = deployedPolicies()[which];
  if (location === undefined) {
    throw new CodedError('NOT_FOUND', {
      error: 'The operator of this service has published no such page.',
      nextStep: 'Ask the operator of this service.',
    });
  }
  const headers = { location, 'cache-control': 'public, max-age=300' };
  return { statusCode: 302, headers: { ...headers, 'x-request-id': caller.requestId }, body: '' };
}

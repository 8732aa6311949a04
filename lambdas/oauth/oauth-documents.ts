import { oauthPaths } from '../../contract/oauth/oauth.ts';
import { resourceMetadata, serverMetadata } from '../../contract/oauth/oauth-metadata.ts';
import { CodedError } from '../../core/errors.ts';
import type { ApiRequest } from '../http/api-request.ts';
import { jsonResponse } from '../http/api-response.ts';
import type { Binding } from '../http/bind.ts';
import { crossOrigin } from '../http/cross-origin.ts';
import { setting } from '../shared/settings.ts';

/**
 * What stands below `/.well-known/`: both metadata documents, each also with the resource's path
 * behind it, where clients look first (RFC 8414 §3.1, RFC 9728 §3.1). All else is a 404 of JSON:
 * clients that probe for other documents fail on HTML.
 */
export const documentBindings: Binding[] = [
  ...both(oauthPaths.serverMetadata, () => serverMetadata(deployment())),
  ...both(oauthPaths.resourceMetadata, () => resourceMetadata(deployment())),
  get('/.well-known/{rest+}', async () => nothing()),
].map(crossOrigin);

function both(path: string, describe: () => object): Binding[] {
  const serve: Binding['serve'] = async (request) => document(request, describe());
  return [
    get(path, serve),
    get(`${path}/{rest+}`, async (request) => (isOfResource(request) ? serve(request) : nothing())),
  ];
}

function get(route: string, serve: Binding['serve']): Binding {
  return { method: 'GET', route, serve };
}

function isOfResource({ pathParameters }: ApiRequest): boolean {
  return `/${pathParameters['rest'] ?? ''}`.replace(/\/+$/, '') === oauthPaths.mcp;
}

function document({ caller }: ApiRequest, content: object) {
  return jsonResponse(200, content, caller.requestId, { 'cache-control': 'public, max-age=300' });
}

function nothing(): never {
  throw new CodedError('NOT_FOUND', { error: 'There is no such document.' });
}

function deployment() {
  const sendsIssuer = setting('OAUTH_SENDS_ISSUER') === 'true';
  return { brand: setting('BRAND'), baseUrl: setting('BASE_URL'), sendsIssuer };
}

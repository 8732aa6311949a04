import { oauthPaths } from '../../contract/oauth/oauth-paths.ts';
import { resourceMetadata, serverMetadata } from '../../contract/oauth/oauth-metadata.ts';
import {
  aiCatalog,
  aiCatalogType,
  catalogPaths,
  type Installation,
  mcpCatalog,
  serverCard,
  serverCardPaths,
  serverCardType,
} from '../../contract/discovery/server-card.ts';
import { CodedError } from '../../core/errors.ts';
import { type ApiRequest, isRead } from '../http/api-request.ts';
import { jsonResponse } from '../http/api-response.ts';
import type { Binding } from '../http/bind.ts';
import { allowAnyOrigin } from '../http/endpoint.ts';
import { discoveryResponse } from '../http/discovery-response.ts';
import { deployedPolicies } from '../shared/policies.ts';
import { installation } from '../shared/installation.ts';

/**
 * The documents below `/.well-known/`: both metadata documents, each also with the resource's path
 * appended, where clients look first (RFC 8414 §3.1, RFC 9728 §3.1). Other paths answer 404 as JSON:
 * clients that look for other documents fail on HTML.
 */
export const documentBindings: Binding[] = [
  ...withResourcePath(oauthPaths.serverMetadata, () => serverMetadata(oauthDeployment())),
  ...withResourcePath(oauthPaths.resourceMetadata, () => resourceMetadata(oauthDeployment())),
  { method: 'ANY', route: '/.well-known/{rest+}', serve: serveDiscovery },
].map(allowAnyOrigin);

function withResourcePath(path: string, describe: () => object): Binding[] {
  const serve: Binding['serve'] = async (request) => documentResponse(request, describe());
  return [
    get(path, serve),
    get(`${path}/{rest+}`, async (request) =>
      isOfResource(request) ? serve(request) : noDocument(),
    ),
  ];
}

function get(route: string, serve: Binding['serve']): Binding {
  return { method: 'GET', route, serve };
}

function isOfResource({ pathParameters }: ApiRequest): boolean {
  return `/${pathParameters['rest'] ?? ''}`.replace(/\/+$/, '') === oauthPaths.mcp;
}

function documentResponse({ caller }: ApiRequest, content: object) {
  return jsonResponse(200, content, caller.requestId, { 'cache-control': 'public, max-age=300' });
}

/** The card and the catalogues of the MCP server. They have no routes of their own: a stack has room for 500 resources. */
const discoveryDocuments: Readonly<Record<string, DiscoveryDocument>> = {
  [serverCardPaths[1]]: { type: serverCardType, describe: serverCard },
  [catalogPaths.ai]: { type: aiCatalogType, describe: aiCatalog },
  [catalogPaths.mcp]: { type: 'application/json', describe: mcpCatalog },
};

interface DiscoveryDocument {
  type: string;
  describe(of: Installation): object;
}

async function serveDiscovery(request: ApiRequest) {
  const path = `/.well-known/${request.pathParameters['rest'] ?? ''}`;
  const document = Object.hasOwn(discoveryDocuments, path) ? discoveryDocuments[path] : undefined;
  if (document === undefined || !isRead(request)) return noDocument();
  return discoveryResponse(request, document.type, document.describe(installation()));
}

function noDocument(): never {
  throw new CodedError('NOT_FOUND', { error: 'This document does not exist.' });
}

function oauthDeployment() {
  return { ...installation(), policies: deployedPolicies() };
}

import { authorizeBindings } from './authorize-bindings.ts';
import { oauthPaths } from '../../contract/oauth/oauth-paths.ts';
import { endpoint } from '../http/endpoint.ts';
import { seeOther } from '../http/page-response.ts';
import type { Binding } from '../http/bind.ts';
import { appPages } from '../http/app-pages.ts';
import { documentBindings } from './oauth-documents.ts';
import { devicePageBindings } from './device-pages.ts';
import { endpointBindings } from './oauth-endpoints.ts';

/** The connected apps are in the web app, which asks for a sign-in first and then shows them. */
const connections: Binding = {
  method: 'GET',
  route: oauthPaths.connections,
  serve: async (request) => seeOther(request, '/dashboard/account#access'),
};

/** `/oauth/*`, `/device` and `/.well-known/*`: the authorization server, and the pages of programs that wait for a person. */
export const handler = endpoint(
  [
    ...documentBindings,
    ...endpointBindings,
    ...authorizeBindings,
    ...devicePageBindings,
    connections,
  ],
  appPages,
);

import { authorizeBindings } from './authorize-bindings.ts';
import { connectionPageBindings } from './connection-pages.ts';
import { endpoint } from '../http/endpoint.ts';
import { appPages } from '../http/app-pages.ts';
import { documentBindings } from './oauth-documents.ts';
import { devicePageBindings } from './device-pages.ts';
import { endpointBindings } from './oauth-endpoints.ts';

/** `/oauth/*`, `/device` and `/.well-known/*`: the authorization server, and the pages of programs and connected apps. */
export const handler = endpoint(
  [
    ...documentBindings,
    ...endpointBindings,
    ...authorizeBindings,
    ...connectionPageBindings,
    ...devicePageBindings,
  ],
  appPages,
);

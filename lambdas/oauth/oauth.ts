import { authorizeBindings } from './authorize-bindings.ts';
import { connectionPageBindings } from './connection-pages.ts';
import { endpoint } from '../http/endpoint.ts';
import { documentBindings } from './oauth-documents.ts';
import { endpointBindings } from './oauth-endpoints.ts';

/** `/oauth/*` and `/.well-known/*`: apps ask people for access, and get tokens; people see which apps they allowed. */
export const handler = endpoint([
  ...documentBindings,
  ...endpointBindings,
  ...authorizeBindings,
  ...connectionPageBindings,
]);

import { authorizeBindings } from './runtime/authorize-bindings.ts';
import { connectionPageBindings } from './runtime/connection-pages.ts';
import { endpoint } from './runtime/endpoint.ts';
import { documentBindings } from './runtime/oauth-documents.ts';
import { endpointBindings } from './runtime/oauth-endpoints.ts';

/** `/oauth/*` and `/.well-known/*`: apps ask people for access, and get tokens; people see which apps they allowed. */
export const handler = endpoint([
  ...documentBindings,
  ...endpointBindings,
  ...authorizeBindings,
  ...connectionPageBindings,
]);

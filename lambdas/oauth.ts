import { endpoint } from './runtime/endpoint.ts';

/** `/oauth/*` and `/.well-known/*`: apps ask people for access, and get tokens. */
export const handler = endpoint([]);

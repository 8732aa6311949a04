import { claimBindings } from './claim-bindings.ts';
import { endpoint } from '../http/endpoint.ts';

/** `/claim/<token>`: a person signs in by code and keeps a temporary project. Plain forms, no script. */
export const handler = endpoint(claimBindings);

import { mcpBindings } from './serve-mcp.ts';
import { endpoint } from '../http/endpoint.ts';

/** `/mcp`: the tools of agents. */
export const handler = endpoint(mcpBindings);

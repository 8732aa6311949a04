import { mcpBindings } from './mcp/serve-mcp.ts';
import { endpoint } from './runtime/endpoint.ts';

/** `/mcp`: the tools of agents. */
export const handler = endpoint(mcpBindings);

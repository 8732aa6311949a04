/**
 * Headers of every response that the service makes: API, pages, published files, refusals of API
 * Gateway and of the edge. Names in lowercase. A header in this list is sent everywhere.
 */
export const commonHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
};

/** Response headers that pages of other origins may read, besides those that browsers always show. */
export const exposedHeaders = [
  'Allow',
  'Idempotency-Replayed',
  'MCP-Protocol-Version',
  'Mcp-Session-Id',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-Id',
].join(', ');

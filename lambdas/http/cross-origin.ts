import type { APIGatewayProxyResult } from 'aws-lambda';
import { errorResponse } from './api-response.ts';
import type { Binding } from './bind.ts';

/** Any page may read these answers: they need no cookie, so that no page learns what it could not get itself. */
const openToAll = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'WWW-Authenticate, Mcp-Session-Id, MCP-Protocol-Version',
};

/** The answer, readable by pages of any origin: clients that run in a browser. */
function withCrossOrigin(answer: APIGatewayProxyResult): APIGatewayProxyResult {
  return { ...answer, headers: { ...answer.headers, ...openToAll } };
}

/** The binding with every answer of it readable by pages of any origin, refusals and failures too. */
export function crossOrigin(binding: Binding): Binding {
  return {
    ...binding,
    async serve(request) {
      const { requestId } = request.caller;
      const answer = await binding
        .serve(request)
        .catch((error: unknown) => errorResponse(error, requestId));
      return withCrossOrigin(answer);
    },
  };
}

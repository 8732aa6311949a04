import * as cdk from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import type { FunctionKit } from '../functions/function-kit.ts';

/**
 * Asks a function who calls the MCP endpoint, before the endpoint's own is called. That function
 * asks again and trusts nothing of this: the authorizer is there because API Gateway renames a
 * `WWW-Authenticate` of a function and not that of a refusal which it makes by itself.
 *
 * Nothing is cached: a token that is revoked is refused from the next request on.
 */
export function mcpAuthorizer(kit: FunctionKit): apigateway.RequestAuthorizer {
  const fn = kit.fn('McpAuthorizer', 'mcp-authorizer', { timeoutSeconds: 10, memoryMb: 512 });
  kit.serveRequests(fn);
  kit.recogniseTokens(fn);
  return new apigateway.RequestAuthorizer(fn, 'Door', {
    handler: fn,
    identitySources: [apigateway.IdentitySource.header('Authorization')],
    resultsCacheTtl: cdk.Duration.seconds(0),
  });
}

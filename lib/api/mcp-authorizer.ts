import * as cdk from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import type { FunctionFactory } from '../functions/function-factory.ts';

/**
 * Checks the credential before the function of the MCP endpoint runs. That function checks it again
 * and does not trust the authorizer. The authorizer exists because API Gateway renames the header
 * `WWW-Authenticate` of a function's response, but not of its own.
 *
 * Results are not cached, so that a revoked token is refused from the next request on.
 */
export function mcpAuthorizer(factory: FunctionFactory): apigateway.RequestAuthorizer {
  const fn = factory.createFunction('McpAuthorizer', 'mcp-authorizer', {
    timeoutSeconds: 10,
    memoryMb: 512,
  });
  factory.grantApiRequests(fn);
  factory.grantAccessTokenCheck(fn);
  return new apigateway.RequestAuthorizer(fn, 'Door', {
    handler: fn,
    identitySources: [apigateway.IdentitySource.header('Authorization')],
    resultsCacheTtl: cdk.Duration.seconds(0),
  });
}

import type { SlipwayFunction } from '../functions/function.ts';
import type { FunctionFactory } from '../functions/function-factory.ts';

/**
 * Checks the credential before the function of the MCP endpoint runs. That function checks it again
 * and does not trust the authorizer. The authorizer exists because API Gateway renames the header
 * `WWW-Authenticate` of a function's response, but not of its own.
 */
export function mcpAuthorizer(factory: FunctionFactory): SlipwayFunction {
  const fn = factory.createApiFunction('mcp-authorizer', { timeoutSeconds: 10, memoryMb: 512 });
  factory.grantAccessTokenCheck(fn);
  return fn;
}

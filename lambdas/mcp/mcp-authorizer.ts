import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import middy from '@middy/core';
import type { APIGatewayAuthorizerResult } from 'aws-lambda';
import * as z from 'zod';
import { serviceFailure } from '../../adapters/failures/service-failure.ts';
import { authenticateAgent } from '../../core/oauth/tokens/authenticate-agent.ts';
import { agentServices } from './agent-services.ts';
import { EventHeaders } from '../http/api-request.ts';
import { cameThroughEdge } from '../http/origin-checks.ts';
import { deployedSecret, refreshSecrets } from '../shared/deployed-secrets.ts';
import { logger, redactFailures } from '../shared/logger.ts';

/** The part of a REQUEST authorizer's event that we use. */
const AuthorizerEvent = z.object({ methodArn: z.string(), headers: EventHeaders });

/**
 * The API Gateway authorizer of the MCP endpoint. It counts no requests. An unexpected error is
 * answered with 500 and never with 401, which would make clients discard their tokens.
 */
export const handler = middy<unknown, APIGatewayAuthorizerResult>()
  .use(injectLambdaContext(logger))
  .use(redactFailures())
  .handler(async (event: unknown) => {
    const { methodArn, headers } = AuthorizerEvent.parse(event);
    await refreshSecrets();
    if (!cameThroughEdge(headers, deployedSecret('ORIGIN_SECRET_ARN')))
      return policy('Deny', methodArn);
    const { kind } = await authenticateAgent(agentServices(), headers['authorization']).catch(
      failureAsAllowed,
    );
    // API Gateway answers this text as if no credential was sent, as RFC 6750 §3.1 requires for other
    // authentication schemes. Requests without the header do not reach this function.
    if (kind === 'none') throw new Error('Unauthorized');
    return policy(kind === 'invalid' ? 'Deny' : 'Allow', methodArn);
  });

/**
 * While the database throttles or does not answer, the owner of a credential is unknown. The
 * request is allowed, because the function behind checks every credential itself and answers 503
 * with `Retry-After`; an error here would become a 500.
 */
function failureAsAllowed(error: unknown): { kind: 'unknown' } {
  if (serviceFailure(error) === undefined) throw error;
  return { kind: 'unknown' };
}

function policy(effect: 'Allow' | 'Deny', methodArn: string): APIGatewayAuthorizerResult {
  return {
    principalId: 'agent',
    policyDocument: {
      Version: '2012-10-17',
      Statement: [{ Action: 'execute-api:Invoke', Effect: effect, Resource: methodArn }],
    },
  };
}

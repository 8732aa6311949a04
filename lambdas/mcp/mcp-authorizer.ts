import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import middy from '@middy/core';
import type { APIGatewayAuthorizerResult } from 'aws-lambda';
import * as z from 'zod';
import { authenticateAgent } from '../../core/oauth/tokens/authenticate-agent.ts';
import { agentServices } from './agent-services.ts';
import { cameThroughEdge, EventHeaders } from '../http/api-request.ts';
import { deployedSecret, freshSecrets } from '../shared/deployed-secrets.ts';
import { logger } from '../shared/logger.ts';
import { redactFailures } from '../shared/redact-failures.ts';

/** What we read of the event of a REQUEST authorizer. */
const AuthorizerEvent = z.object({ methodArn: z.string(), headers: EventHeaders });

/**
 * Who may call the MCP endpoint, in API Gateway's terms. It counts nothing, and what it does not
 * expect fails: a 500 then, because a 401 in an outage would make clients throw their tokens away.
 */
export const handler = middy<unknown, APIGatewayAuthorizerResult>()
  .use(injectLambdaContext(logger))
  .use(redactFailures())
  .handler(async (event: unknown) => {
    const { methodArn, headers } = AuthorizerEvent.parse(event);
    await freshSecrets();
    if (!cameThroughEdge(headers, deployedSecret('ORIGIN_SECRET_ARN')))
      return policy('Deny', methodArn);
    const { kind } = await authenticateAgent(agentServices(), headers['authorization']);
    // This text makes API Gateway answer as if nothing was sent, as RFC 6750 §3.1 has it for schemes
    // that are not ours. Requests without the header do not come here.
    if (kind === 'none') throw new Error('Unauthorized');
    return policy(kind === 'invalid' ? 'Deny' : 'Allow', methodArn);
  });

function policy(effect: 'Allow' | 'Deny', methodArn: string): APIGatewayAuthorizerResult {
  return {
    principalId: 'agent',
    policyDocument: {
      Version: '2012-10-17',
      Statement: [{ Action: 'execute-api:Invoke', Effect: effect, Resource: methodArn }],
    },
  };
}

import * as z from 'zod';
import { isAllowed, isDenied, parsePolicy, type Statement } from '../iam/policy.ts';
import type { GatewayCall, Route } from './definition/api-model.ts';
import type { Authorizer } from './definition/method.ts';
import { apiArn, callLambda, type Lambda } from './call-lambda.ts';
import type { RouteMatch } from './match-route.ts';
import { proxyEvent } from './proxy-event.ts';
import { type Refusal, refusals } from './refusal.ts';

/** A caller that an authorizer has allowed. */
export interface AuthorizedCaller {
  /** `requestContext.authorizer` in the function's event. */
  context: Record<string, string | number>;
}

/** API Gateway's maximum, as for an integration. */
const timeoutMs = 29_000;

/** The result of an authorizer. Context values must be primitive; they become strings. */
const Output = z.object({
  principalId: z.string(),
  policyDocument: z.unknown(),
  context: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String))
    .nullish(),
});

/**
 * Calls a method's authorizer; returns a refusal unless it allows the caller.
 *
 * As in the service, it is not called if an identity source is missing. An error with the message
 * `Unauthorized` becomes a 401, every other failure a 500.
 */
export async function authorize(
  lambda: Lambda,
  call: GatewayCall,
  target: { authorizer: Authorizer; match: RouteMatch<Route> },
): Promise<AuthorizedCaller | Refusal> {
  const { authorizer, match } = target;
  const { api, request } = call;
  if (authorizer.identityHeaders.some((name) => (request.headers[name] ?? '') === '')) {
    return refusals.unauthorized;
  }
  const methodArn = apiArn(`${api.apiId}/${api.stageName}/${request.method}${request.path}`);
  const startedAt = performance.now();
  const result = await callLambda(lambda, {
    functionName: authorizer.functionName,
    event: authorizerEvent(call, match, methodArn),
    mayInvoke: (caller) => api.mayInvoke(caller),
    source: `${api.apiId}/authorizers/${authorizer.id}`,
    timeoutMs,
  });
  if (result === 'timeout') return refusals.authorizerFailed;
  if (result === 'forbidden') return refusals.authorizerMisconfigured;
  if (!result.ok) {
    if (result.errorMessage === 'Unauthorized') return refusals.unauthorized;
    lambda.log(`Authorizer ${authorizer.functionName} failed: ${result.errorType}`);
    return refusals.authorizerMisconfigured;
  }
  return evaluatePolicy(result.payload, methodArn, Math.round(performance.now() - startedAt));
}

/** The request without its body; missing parameters are empty objects here. */
function authorizerEvent(call: GatewayCall, match: RouteMatch<Route>, methodArn: string) {
  const request = { ...call.request, body: Buffer.alloc(0) };
  const {
    body: _body,
    isBase64Encoded: _encoded,
    ...event
  } = proxyEvent({ ...call, request }, match);
  return {
    type: 'REQUEST',
    methodArn,
    ...event,
    queryStringParameters: event.queryStringParameters ?? {},
    multiValueQueryStringParameters: event.multiValueQueryStringParameters ?? {},
    pathParameters: event.pathParameters ?? {},
    stageVariables: event.stageVariables ?? {},
  };
}

function evaluatePolicy(
  payload: unknown,
  methodArn: string,
  integrationLatency: number,
): AuthorizedCaller | Refusal {
  const output = Output.safeParse(payload);
  if (!output.success) return refusals.authorizerMisconfigured;
  const statements = parseStatements(output.data.policyDocument);
  if (statements === undefined) return refusals.authorizerMisconfigured;
  const accessRequest = {
    principal: { kind: 'AWS', id: output.data.principalId },
    action: 'execute-api:Invoke',
    resource: methodArn,
  } as const;
  if (isDenied(statements, accessRequest)) return refusals.expresslyDenied;
  if (!isAllowed(statements, accessRequest)) return refusals.notAllowed;
  const { principalId, context } = output.data;
  return { context: { ...context, principalId, integrationLatency } };
}

function parseStatements(policyDocument: unknown): Statement[] | undefined {
  try {
    return parsePolicy(policyDocument, 'policy of an authorizer');
  } catch {
    return undefined;
  }
}

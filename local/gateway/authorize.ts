import * as z from 'zod';
import { isAllowed, isDenied, parsePolicy, type Statement } from '../iam/policy.ts';
import type { GatewayCall, Route } from './definition/api-model.ts';
import type { Authorizer } from './definition/authorizer.ts';
import { apiArn, callLambda, type Lambda } from './call-lambda.ts';
import type { RouteMatch } from './match-route.ts';
import { proxyEvent } from './proxy-event.ts';
import { type Refusal, refusals } from './refusal.ts';

/** A caller whom an authorizer let in. */
export interface LetIn {
  /** What it said of them: `requestContext.authorizer` of the function's event. */
  context: Record<string, string | number>;
}

/** The longest that API Gateway waits, as for an integration. */
const timeoutMs = 29_000;

/** What an authorizer may return; in the context only plain values, which become text. */
const Output = z.object({
  principalId: z.string(),
  policyDocument: z.unknown(),
  context: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String))
    .nullish(),
});

/**
 * Asks a method's authorizer who calls; a refusal where it does not let the caller in.
 *
 * As the service does: without an identity source it is not asked; `Unauthorized` as the text of its
 * error is a 401, every other failure a 500.
 */
export async function authorize(
  lambda: Lambda,
  call: GatewayCall,
  guarded: { authorizer: Authorizer; match: RouteMatch<Route> },
): Promise<LetIn | Refusal> {
  const { authorizer, match } = guarded;
  const { api, request } = call;
  if (authorizer.identityHeaders.some((name) => (request.headers[name] ?? '') === '')) {
    return refusals.unauthorized;
  }
  const methodArn = apiArn(`${api.apiId}/${api.stageName}/${request.method}${request.path}`);
  const startedAt = performance.now();
  const result = await callLambda(lambda, {
    functionName: authorizer.functionName,
    event: authorizerEvent(call, match, methodArn),
    permissions: api.permissions,
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
  return judge(result.payload, methodArn, Math.round(performance.now() - startedAt));
}

/** The request without its body; what it does not have is an empty object here. */
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

function judge(payload: unknown, methodArn: string, integrationLatency: number): LetIn | Refusal {
  const output = Output.safeParse(payload);
  if (!output.success) return refusals.authorizerMisconfigured;
  const statements = statementsOf(output.data.policyDocument);
  if (statements === undefined) return refusals.authorizerMisconfigured;
  const question = {
    principal: { kind: 'AWS', id: output.data.principalId },
    action: 'execute-api:Invoke',
    resource: methodArn,
  } as const;
  if (isDenied(statements, question)) return refusals.expresslyDenied;
  if (!isAllowed(statements, question)) return refusals.notAllowed;
  const { principalId, context } = output.data;
  return { context: { ...context, principalId, integrationLatency } };
}

function statementsOf(policyDocument: unknown): Statement[] | undefined {
  try {
    return parsePolicy(policyDocument, 'policy of an authorizer');
  } catch {
    return undefined;
  }
}

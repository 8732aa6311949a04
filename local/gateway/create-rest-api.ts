import { performance } from 'node:perf_hooks';
import type { Clock } from '../time/clock.ts';
import type { HttpRequest, HttpResponse, Resource } from '../http/http.ts';
import type { InvokeResult } from '../lambda/invoke-result.ts';
import { apiDefinition } from './definition/api-definition.ts';
import type { GatewayCall, Route } from './definition/api-model.ts';
import { authorize, type LetIn } from './authorize.ts';
import { callLambda } from './call-lambda.ts';
import { gatewayCall } from './gateway-call.ts';
import { renderRefusal } from './render-refusal.ts';
import type { Integration } from './definition/integration.ts';
import { matchRoute, type RouteMatch } from './match-route.ts';
import { mockAnswer } from './mock-answer.ts';
import { proxyAnswer } from './proxy-answer.ts';
import { proxyEvent } from './proxy-event.ts';
import { type Refusal, refusals } from './refusal.ts';
import { throttleFor, tokenBucket } from './definition/throttle.ts';
import { transportRefusal } from './transport-limits.ts';

interface RestApiOptions {
  /** All resolved resources of all templates; the API is found among them. */
  resources: readonly Resource[];
  invoke(functionName: string, event: unknown): Promise<InvokeResult>;
  clock: Clock;
  log(line: string): void;
}

/** The REST API of the templates, answering as the deployed one does. */
export interface RestApi {
  /** Takes the path without the stage; never rejects. */
  handle(request: HttpRequest): Promise<HttpResponse>;
  domainName: string;
  stageName: string;
}

/**
 * Builds the REST API that the templates describe; throws on what it could not do as the service
 * does. Throttling counts real time, whatever the cloud's clock says.
 */
export function createRestApi(options: RestApiOptions): RestApi {
  const api = apiDefinition(options.resources);
  const domainName = `${api.apiId}.execute-api.us-east-1.amazonaws.com`;
  const buckets = new Map(
    api.routes.map((route) => {
      const limit = throttleFor(api.throttles, route.path, route.httpMethod);
      return [route, tokenBucket(limit, () => performance.now())];
    }),
  );

  async function respond(call: GatewayCall): Promise<Answered> {
    const { method, path, headers } = call.request;
    const match = matchRoute(api.routes, method, path);
    if (match === undefined) {
      const isSigned = (headers['authorization'] ?? '') !== '';
      return {
        answer: isSigned ? refusals.unknownRouteWithAuthorization : refusals.unknownRoute,
      };
    }
    const { route } = match;
    if (buckets.get(route)?.() === false) return { route, answer: refusals.throttled };
    const { integration, authorizer } = route;
    const caller = authorizer && (await authorize(options, call, { authorizer, match }));
    if (caller !== undefined && 'type' in caller) return { route, answer: caller };
    if (integration.kind === 'mock') return { route, answer: mockAnswer(call, integration) };
    const startedAt = performance.now();
    const answer = await callFunction(options, call, { match, integration, caller });
    return { route, answer, functionMs: performance.now() - startedAt };
  }

  async function handle(request: HttpRequest): Promise<HttpResponse> {
    const tooLarge = transportRefusal(request);
    if (tooLarge !== undefined) return tooLarge;
    const call = gatewayCall({ api, domainName, request }, options.clock.now());
    const startedAt = performance.now();
    const { answer, route, functionMs } = await respond(call);
    const latencyMs = performance.now() - startedAt;
    const refusal = 'type' in answer ? answer : undefined;
    const response = 'type' in answer ? renderRefusal(call, answer) : answer;
    const line = api.accessLine?.({ call, route, response, refusal, latencyMs, functionMs });
    if (line !== undefined) options.log(line);
    return response;
  }

  return { handle, domainName, stageName: api.stageName };
}

/** An answer, with what the access log tells of where it is from. */
interface Answered {
  answer: HttpResponse | Refusal;
  route?: Route;
  functionMs?: number;
}

interface LambdaTarget {
  match: RouteMatch<Route>;
  integration: Extract<Integration, { kind: 'lambda' }>;
  caller: LetIn | undefined;
}

async function callFunction(
  options: RestApiOptions,
  call: GatewayCall,
  target: LambdaTarget,
): Promise<HttpResponse | Refusal> {
  const { api, request } = call;
  const { functionName, timeoutMs } = target.integration;
  const result = await callLambda(options, {
    functionName,
    event: proxyEvent(call, target.match, target.caller?.context),
    permissions: api.permissions,
    source: `${api.apiId}/${api.stageName}/${request.method}${target.match.route.path}`,
    timeoutMs,
  });
  if (result === 'forbidden') return refusals.misconfigured;
  if (result === 'timeout') return refusals.timedOut;
  if (result.ok) return proxyAnswer(call, result.payload);
  if (result.errorType === 'RequestEntityTooLarge') return refusals.requestTooLong;
  if (result.errorType === 'TooManyRequestsException') return refusals.functionUnavailable;
  return refusals.functionFailed;
}

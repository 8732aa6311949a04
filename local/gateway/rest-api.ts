import { performance } from 'node:perf_hooks';
import type { Clock } from '../time/clock.ts';
import type { HttpRequest, HttpResponse } from '../http/http.ts';
import type { Resource } from '../assembly/resource.ts';
import type { InvokeResult } from '../lambda/invoke-result.ts';
import { parseApiDefinition } from './definition/api-definition.ts';
import type { GatewayCall, Route } from './definition/api-model.ts';
import { authorize, type AuthorizedCaller } from './authorize.ts';
import { callLambda } from './call-lambda.ts';
import { gatewayCall } from './request.ts';
import { renderRefusal } from './render-refusal.ts';
import type { Integration } from './definition/method.ts';
import { matchRoute, type RouteMatch } from './match-route.ts';
import { mockAnswer, proxyAnswer } from './integration-answer.ts';
import { proxyEvent } from './proxy-event.ts';
import { type Refusal, refusals } from './refusal.ts';
import { throttleFor, tokenBucket } from './definition/throttle.ts';

interface RestApiOptions {
  /** All resources of the templates; exactly one REST API must be among them. */
  resources: readonly Resource[];
  invoke(functionName: string, event: unknown, onStart: () => void): Promise<InvokeResult>;
  clock: Clock;
  log(line: string): void;
}

/** The REST API of the templates. */
export interface RestApi {
  /** Expects the path without the stage; never rejects. */
  handle(request: HttpRequest): Promise<HttpResponse>;
  domainName: string;
  stageName: string;
}

/**
 * Creates the REST API of the templates; an unsupported property stops the start.
 * Throttling uses real time, not the movable clock.
 */
export function createRestApi(options: RestApiOptions): RestApi {
  const api = parseApiDefinition(options.resources);
  const domainName = `${api.apiId}.execute-api.us-east-1.amazonaws.com`;
  const buckets = new Map(
    api.routes.map((route) => {
      const limit = throttleFor(api.throttles, route.path, route.httpMethod);
      return [route, tokenBucket(limit, () => performance.now())];
    }),
  );

  async function respond(call: GatewayCall): Promise<RoutedAnswer> {
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
    // After the authorizer: AWS does not document the order, and this one calls a function more often.
    if (!hasApiKey(call, route)) {
      return { route, answer: refusals.invalidApiKey };
    }
    if (integration.kind === 'mock') return { route, answer: mockAnswer(call, integration) };
    const startedAt = performance.now();
    const answer = await callFunction(options, call, { match, integration, caller });
    return { route, answer, functionMs: performance.now() - startedAt };
  }

  async function handle(request: HttpRequest): Promise<HttpResponse> {
    const refused = transportRefusal(request);
    if (refused !== undefined) return refused;
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

function hasApiKey({ api, request }: GatewayCall, route: Route): boolean {
  return !route.needsApiKey || api.apiKeys.has(request.headers['x-api-key'] ?? '');
}

/** An answer with its origin, for the access log. */
interface RoutedAnswer {
  answer: HttpResponse | Refusal;
  route?: Route;
  functionMs?: number;
}

interface LambdaTarget {
  match: RouteMatch<Route>;
  integration: Extract<Integration, { kind: 'lambda' }>;
  caller: AuthorizedCaller | undefined;
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
    mayInvoke: (caller) => api.mayInvoke(caller),
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

/** Fixed quotas of a REST API. */
const maxBodyBytes = 10 * 1024 * 1024;

const maxHeaderBytes = 10_240;

/**
 * The refusal of a request that is too large for the service, before any API is found: plain text, which
 * no gateway response can change.
 */
function transportRefusal(request: HttpRequest): HttpResponse | undefined {
  if (headerBytes(request) > maxHeaderBytes) {
    return plainText(431, `HTTP header is larger than ${maxHeaderBytes} bytes.`);
  }
  if (request.body.length > maxBodyBytes) {
    return plainText(413, `HTTP content length exceeded ${maxBodyBytes} bytes.`);
  }
  return undefined;
}

/** The quota counts the request line and the header values. */
function headerBytes(request: HttpRequest): number {
  const line = `${request.method} ${request.path}?${request.query} HTTP/1.1`;
  const texts = [line, ...Object.values(request.headers)];
  return texts.reduce((total, text) => total + Buffer.byteLength(text), 0);
}

function plainText(status: number, text: string): HttpResponse {
  return {
    status,
    headers: { 'content-type': 'text; charset=utf-8' },
    body: Buffer.from(text),
  };
}

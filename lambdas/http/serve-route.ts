import type { APIGatewayProxyResult } from 'aws-lambda';
import { allowedMethods, type Operation } from '../../contract/operation.ts';
import { type ServiceFailure, serviceFailure } from '../../adapters/failures/service-failure.ts';
import { CodedError } from '../../core/errors.ts';
import type { ApiRequest } from './api-request.ts';
import { errorResponse } from './api-response.ts';
import type { Binding } from './bind.ts';
import { acceptsPage } from './page-response.ts';

/** Options of a function's routes, besides their bindings. */
export interface RouteOptions {
  /** Operations that other functions serve at a path of this function. */
  elsewhere?: readonly Operation[];
  /** For functions of sites: the edge refuses OPTIONS there, so `Allow` must not list it. */
  hasNoOptions?: boolean;
  /** For functions with pages: the response to a browser that sends a wrong method to a page (405). */
  wrongMethodPage?: (request: ApiRequest) => APIGatewayProxyResult;
  /** For functions with pages: the response to a browser while a service of AWS fails (503). */
  unavailablePage?: (request: ApiRequest, failure: ServiceFailure) => APIGatewayProxyResult;
}

/**
 * Serves a request by the binding of its route and method; a HEAD by the one of GET. Other methods get
 * `Allow`: OPTIONS with 204, the rest with 405 (RFC 9110 §9.3.7, §15.5.6).
 * @throws CodedError NOT_FOUND if the function does not have the route
 */
export async function serveRoute(
  bindings: readonly Binding[],
  options: RouteOptions,
  request: ApiRequest,
): Promise<APIGatewayProxyResult> {
  const { route } = request;
  const ofRoute = bindings.filter((binding) => binding.route === route);
  if (ofRoute.length === 0)
    throw new CodedError('NOT_FOUND', { error: 'This address does not exist.' });
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const binding =
    ofRoute.find((one) => one.method === method) ?? ofRoute.find((one) => one.method === 'ANY');
  if (binding !== undefined) return binding.serve(request);
  const others = (options.elsewhere ?? []).filter(({ path }) => path === route);
  const allow = allowedMethods([...ofRoute, ...others].map((one) => one.method))
    .filter((one) => one !== 'OPTIONS' || options.hasNoOptions !== true)
    .join(', ');
  if (method === 'OPTIONS') return optionsResponse(request, allow);
  const refusal = wantsPage(ofRoute, request) ? options.wrongMethodPage?.(request) : undefined;
  const { statusCode, headers, body } = refusal ?? wrongMethod(request, allow);
  return { statusCode, headers: { ...headers, allow }, body };
}

/** The response for an error of `serveRoute`; a browser that wanted a page gets a page while a service fails. */
export function failedResponse(
  bindings: readonly Binding[],
  options: RouteOptions,
  request: ApiRequest,
  error: unknown,
): APIGatewayProxyResult {
  const response = errorResponse(error, request.caller.requestId);
  const failure = error instanceof CodedError ? undefined : serviceFailure(error);
  const ofRoute = bindings.filter(({ route }) => route === request.route);
  if (failure === undefined || !wantsPage(ofRoute, request)) return response;
  const page = options.unavailablePage?.(request, failure);
  if (page === undefined) return response;
  const wait = response.headers?.['retry-after'] ?? '';
  return { ...page, headers: { ...page.headers, 'retry-after': wait } };
}

function wantsPage(ofRoute: readonly Binding[], request: ApiRequest): boolean {
  return ofRoute.every(isPage) && acceptsPage(request);
}

/** Whether the route is a page. Paths that programs call return JSON to browsers, too. */
function isPage({ isOperation = false, allowsAnyOrigin = false }: Binding): boolean {
  return !isOperation && !allowsAnyOrigin;
}

function optionsResponse({ caller }: ApiRequest, allow: string): APIGatewayProxyResult {
  const headers = { allow, 'cache-control': 'no-store', 'x-request-id': caller.requestId };
  return { statusCode: 204, headers, body: '' };
}

function wrongMethod({ method, caller }: ApiRequest, allow: string): APIGatewayProxyResult {
  const error = new CodedError('METHOD_NOT_ALLOWED', {
    error: `${method} is not supported at this address.`,
    nextStep: `Use one of these methods: ${allow}. The documentation says what each of them does here.`,
  });
  return errorResponse(error, caller.requestId);
}

import type { HttpRequest, HttpResponse } from '../../http/http.ts';
import type { KeyedHeaders } from '../cache/cache-key.ts';
import type { ViewerRequest } from '../viewer-request.ts';
import { discard } from '../cache/body.ts';
import { type OriginPort, originRequest, type RoutedOrigin } from './origin-request.ts';

/** The dependencies for calling an origin. */
export interface OriginDeps {
  origins: OriginPort;
  report(message: string): void;
}

/**
 * Calls the origin, or those of the request's origin group: the second one answers GET, HEAD and OPTIONS if the
 * first answers with a status of the group. A first one that cannot be reached counts as 503 ("Optimize high
 * availability with CloudFront origin failover"). Undefined if no origin was reached.
 */
export async function fetchOrigin(
  deps: OriginDeps,
  viewerRequest: ViewerRequest,
  request: HttpRequest,
  keyed: KeyedHeaders,
): Promise<HttpResponse | undefined> {
  const { route } = viewerRequest;
  const originGroup = viewerRequest.originGroup ?? route.behaviour.originGroup;
  const call = async (origin: RoutedOrigin) =>
    callOrigin(deps, { viewerRequest, request, keyed, origin });
  if (originGroup === undefined) return call(route.origin);
  const [first, second] = originGroup.originIds.map(({ originId }) => route.origins.get(originId));
  if (first === undefined || second === undefined) {
    deps.report(
      `an origin group names an unknown origin: ${JSON.stringify(originGroup.originIds)}`,
    );
    return undefined;
  }
  const response = await call(first);
  const { statusCodes } = originGroup.failoverCriteria;
  if (
    !statusCodes.some((one) => one === (response?.status ?? unreachable)) ||
    !/^(GET|HEAD|OPTIONS)$/.test(request.method)
  )
    return response;
  if (response !== undefined) discard(response.body);
  return call(second);
}

const unreachable = 503;

interface OriginCall {
  viewerRequest: ViewerRequest;
  request: HttpRequest;
  keyed: KeyedHeaders;
  origin: RoutedOrigin;
}

async function callOrigin(
  deps: OriginDeps,
  { viewerRequest, request, keyed, origin }: OriginCall,
): Promise<HttpResponse | undefined> {
  const { route } = viewerRequest;
  const outgoing = originRequest(request, {
    origin,
    cachePolicy: route.cachePolicy,
    originRequestPolicy: route.originRequestPolicy,
    keyed,
    requestId: viewerRequest.requestId,
  });
  try {
    const response = await deps.origins.fetch(origin, outgoing);
    if (route.originRequestPolicy === 'all-but-host') return response;
    const { 'set-cookie': _dropped, ...headers } = response.headers;
    return { ...response, headers };
  } catch (error) {
    deps.report(`origin ${origin.id} failed: ${String(error)}`);
    return undefined;
  }
}

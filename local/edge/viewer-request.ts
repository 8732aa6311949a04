import type { HttpRequest, HttpResponse } from '../http/http.ts';
import type { Route } from './catalog.ts';
import type { Site } from './host-routing.ts';
import type { OriginGroup } from './distribution.ts';

/** One viewer request as the edge processes it. */
export interface ViewerRequest {
  site: Site;
  route: Route;
  /** The request after the viewer-request function. */
  request: HttpRequest;
  /** Replaces the route's origin or group for this request. */
  originGroup?: OriginGroup | undefined;
  /** As the viewer sent it. */
  viewerPath: string;
  requestId: string;
}

/** The status in `X-Cache`. */
export type CacheStatus = 'Hit' | 'Miss' | 'RefreshHit' | 'Error' | 'FunctionGeneratedResponse';

const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-connection',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** The id under which the cache keeps this visit's answers: the tenant's, or the distribution's. */
export function scopeOf({ distribution, tenant }: Site): string {
  return tenant?.id ?? distribution.id;
}

/** The final response: headers policy applied, hop-by-hop headers removed, `X-Cache` set. */
export function finishResponse(
  viewerRequest: ViewerRequest,
  response: HttpResponse,
  cacheStatus: CacheStatus,
  now: Date,
): HttpResponse {
  const headers = { ...response.headers };
  for (const name of HOP_BY_HOP) delete headers[name];
  const policy = viewerRequest.route.responseHeaders;
  const finished: HttpResponse['headers'] = {
    date: now.toUTCString(),
    ...(policy === undefined ? headers : policy(headers, viewerRequest.request)),
    'x-cache': `${response.status >= 400 && cacheStatus !== 'FunctionGeneratedResponse' ? 'Error' : cacheStatus} from cloudfront`,
    via: '1.1 local.cloudfront.net (CloudFront)',
    'x-amz-cf-id': viewerRequest.requestId,
  };
  const isEmpty = response.status === 304 || response.status === 204;
  if (Buffer.isBuffer(response.body) && viewerRequest.request.method !== 'HEAD' && !isEmpty) {
    finished['content-length'] = String(response.body.byteLength);
  }
  return { status: response.status, headers: finished, body: response.body };
}

/** The answer without its body, for HEAD and 304. */
export function withoutBody(response: HttpResponse): HttpResponse {
  if (!Buffer.isBuffer(response.body)) response.body.destroy();
  return { ...response, body: Buffer.alloc(0) };
}

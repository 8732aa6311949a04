import type { HttpRequest, HttpResponse } from '../http/http.ts';
import type { Route } from './catalog.ts';
import type { Site } from './host-routing.ts';

/** One viewer request on its way through the edge. */
export interface Visit {
  site: Site;
  route: Route;
  /** As the viewer-request function left it. */
  request: HttpRequest;
  /** As the viewer sent it. */
  viewerPath: string;
  requestId: string;
}

/** What CloudFront writes into `X-Cache`. */
export type CacheWord = 'Hit' | 'Miss' | 'RefreshHit' | 'Error' | 'FunctionGeneratedResponse';

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

/** The answer as it leaves the edge: headers policy applied, hop-by-hop headers gone, `X-Cache` set. */
export function finish(
  visit: Visit,
  response: HttpResponse,
  word: CacheWord,
  now: Date,
): HttpResponse {
  const headers = { ...response.headers };
  for (const name of HOP_BY_HOP) delete headers[name];
  const policy = visit.route.responseHeaders;
  const finished: HttpResponse['headers'] = {
    date: now.toUTCString(),
    ...(policy === undefined ? headers : policy(headers, visit.request)),
    'x-cache': `${response.status >= 400 && word !== 'FunctionGeneratedResponse' ? 'Error' : word} from cloudfront`,
    via: '1.1 local.cloudfront.net (CloudFront)',
    'x-amz-cf-id': visit.requestId,
  };
  const isEmpty = response.status === 304 || response.status === 204;
  if (Buffer.isBuffer(response.body) && visit.request.method !== 'HEAD' && !isEmpty) {
    finished['content-length'] = String(response.body.byteLength);
  }
  return { status: response.status, headers: finished, body: response.body };
}

/** The answer without its body, as HEAD and 304 ask for. */
export function withoutBody(response: HttpResponse): HttpResponse {
  if (!Buffer.isBuffer(response.body)) response.body.destroy();
  return { ...response, body: Buffer.alloc(0) };
}

import type { Origin } from '../distribution.ts';
import type { HttpRequest, HttpResponse } from '../../http/http.ts';
import type { KeyedHeaders } from '../cache/cache-key.ts';
import type { CachePolicy } from '../cache/cache-policy.ts';
import type { OriginRequestPolicy } from './origin-request-policy.ts';

/** The kinds of origin that the local cloud supports. */
export type OriginKind = 'rest-api' | 'function-url' | 's3';

/** The origin of one behaviour, and whether CloudFront signs requests to it in the distribution's name (origin access control). */
export type RoutedOrigin = Origin & { kind: OriginKind; signsRequests: boolean };

/** Calls origins. The body of an answer may be a stream. */
export interface OriginPort {
  fetch(origin: RoutedOrigin, request: HttpRequest): Promise<HttpResponse>;
}

/** The input for one origin request. */
export interface OriginRequestParts {
  origin: RoutedOrigin;
  cachePolicy: CachePolicy;
  originRequestPolicy: OriginRequestPolicy;
  keyed: KeyedHeaders;
  requestId: string;
}

/** Forwarded regardless of the policies ("HTTP request headers and CloudFront behavior"). */
const ALWAYS_FORWARDED = [
  'content-type',
  'content-md5',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'range',
  'x-amz-content-sha256',
];

/** Never forwarded: hop-by-hop headers, and those that CloudFront removes or sets itself. */
const NEVER_FORWARDED = new Set([
  'connection',
  'content-length',
  'cookie',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'via',
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-real-ip',
]);

/** Builds the request to the origin for one viewer request. */
export function originRequest(request: HttpRequest, parts: OriginRequestParts): HttpRequest {
  const { originRequestPolicy, origin } = parts;
  const forwardsAll = originRequestPolicy === 'all-but-host';
  const { cookie } = request.headers;
  const forwardedFor = request.headers['x-forwarded-for'];
  const headers: Record<string, string> = {
    host: origin.domainName,
    'user-agent': 'Amazon CloudFront',
    ...forwardedHeaders(request, parts),
    'x-forwarded-for':
      forwardedFor === undefined
        ? request.viewer.address
        : `${forwardedFor},${request.viewer.address}`,
    via: '1.1 local.cloudfront.net (CloudFront)',
    'x-amz-cf-id': parts.requestId,
  };
  if (forwardsAll && cookie !== undefined) headers['cookie'] = cookie;
  if (request.body.byteLength > 0 || /^(POST|PUT|PATCH)$/.test(request.method)) {
    headers['content-length'] = String(request.body.byteLength);
  }
  if (origin.signsRequests) delete headers['authorization'];
  return {
    ...request,
    path: `${origin.originPath}${request.path}`,
    query: forwardsAll ? request.query : '',
    headers: { ...headers, ...origin.customHeaders },
  };
}

/** Keyed headers, those of the origin request policy, and those that are always forwarded. */
function forwardedHeaders(
  request: HttpRequest,
  { cachePolicy, originRequestPolicy, keyed }: OriginRequestParts,
): Record<string, string> {
  const negotiates = cachePolicy.gzip || cachePolicy.brotli;
  const forwarded = Object.entries(request.headers).filter(
    ([name]) =>
      !isNeverForwarded(name) &&
      !(negotiates && name === 'accept-encoding') &&
      (ALWAYS_FORWARDED.includes(name) || includesHeader(originRequestPolicy, name)),
  );
  const selected = Object.entries(keyed).filter(([name]) => !isNeverForwarded(name));
  return Object.fromEntries([...forwarded, ...selected]);
}

function isNeverForwarded(name: string): boolean {
  return NEVER_FORWARDED.has(name) || name.startsWith('x-edge-') || name.startsWith('x-amz-cf-');
}

function includesHeader(policy: OriginRequestPolicy, name: string): boolean {
  return policy === 'all-but-host' ? name !== 'host' : policy.has(name);
}

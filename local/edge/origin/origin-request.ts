import type { HttpRequest, HttpResponse } from '../../http/http.ts';
import type { KeyedValues } from '../cache/cache-key.ts';
import type { CachePolicy } from '../cache/cache-policy.ts';
import type { OriginRequestPolicy } from './origin-request-policy.ts';
import { cookiePairs, queryPairs } from '../request-parts.ts';
import { selectPairs } from '../selection.ts';

/** The kinds of origin that the local cloud has. */
export type OriginKind = 'rest-api' | 'function-url' | 's3';

/** Where a request goes. */
export interface ResolvedOrigin {
  kind: OriginKind;
  domainName: string;
  /** Already stands at the front of the request's path. */
  originPath: string;
  /** CloudFront signs the request: the origin must treat it as coming from the distribution's own role. */
  oac: boolean;
  id: string;
}

/** How the edge reaches its origins. An answer may be a stream. */
export interface OriginPort {
  fetch(origin: ResolvedOrigin, request: HttpRequest): Promise<HttpResponse>;
}

/** What decides about the request to an origin. */
export interface OriginRequestParts {
  origin: ResolvedOrigin;
  customHeaders: Readonly<Record<string, string>>;
  cachePolicy: CachePolicy;
  originRequestPolicy: OriginRequestPolicy;
  keyed: KeyedValues;
  requestId: string;
}

/** Forwarded whatever the policies say ("HTTP request headers and CloudFront behavior"). */
const ALWAYS = [
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

/** Never forwarded: hop-by-hop headers, and those that CloudFront removes or makes itself. */
const NEVER = new Set([
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

/** The request that the origin gets for one viewer request. */
export function originRequest(request: HttpRequest, parts: OriginRequestParts): HttpRequest {
  const { cachePolicy, originRequestPolicy, origin } = parts;
  const cookies = selectPairs(
    cookiePairs(request.headers['cookie']),
    cachePolicy.cookies,
    originRequestPolicy.cookies,
  );
  const query = selectPairs(
    queryPairs(request.query),
    cachePolicy.query,
    originRequestPolicy.query,
  );
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
  if (cookies.length > 0) headers['cookie'] = cookies.map(({ raw }) => raw).join('; ');
  if (request.body.byteLength > 0 || /^(POST|PUT|PATCH)$/.test(request.method)) {
    headers['content-length'] = String(request.body.byteLength);
  }
  if (origin.oac) delete headers['authorization'];
  return {
    ...request,
    path: `${origin.originPath}${request.path}`,
    query: query.map(({ raw }) => raw).join('&'),
    headers: { ...headers, ...parts.customHeaders },
  };
}

/** Keyed headers, those of the origin request policy, and those that always go along. */
function forwardedHeaders(
  request: HttpRequest,
  { cachePolicy, originRequestPolicy, keyed }: OriginRequestParts,
): Record<string, string> {
  const negotiates = cachePolicy.gzip || cachePolicy.brotli;
  const taken = Object.entries(request.headers).filter(
    ([name]) =>
      !isNeverForwarded(name) &&
      !(negotiates && name === 'accept-encoding') &&
      (ALWAYS.includes(name) || takesHeader(originRequestPolicy, name)),
  );
  const keyedHeaders = Object.entries(keyed.headers).filter(([name]) => !isNeverForwarded(name));
  return Object.fromEntries([...taken, ...keyedHeaders]);
}

function isNeverForwarded(name: string): boolean {
  return NEVER.has(name) || name.startsWith('x-edge-') || name.startsWith('x-amz-cf-');
}

function takesHeader(policy: OriginRequestPolicy, name: string): boolean {
  switch (policy.headerBehaviour) {
    case 'none':
      return false;
    case 'whitelist':
      return policy.headers.has(name);
    case 'allViewer':
    case 'allViewerAndWhitelistCloudFront':
      return true;
    case 'allExcept':
      return !policy.headers.has(name);
    default:
      return policy.headerBehaviour satisfies never;
  }
}

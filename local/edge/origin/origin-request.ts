import type { Origin } from '../distribution.ts';
import { parametersOf, type Site } from '../host-routing.ts';
import type { HttpRequest, HttpResponse } from '../../http/http.ts';
import type { KeyedValues } from '../cache/cache-key.ts';
import type { CachePolicy } from '../cache/cache-policy.ts';
import type { OriginRequestPolicy } from './origin-request-policy.ts';
import { cookiePairs, queryPairs } from '../request-parts.ts';
import { selectPairs } from '../selection.ts';

/** The kinds of origin that the local cloud supports. */
export type OriginKind = 'rest-api' | 'function-url' | 's3';

/** The origin of one behaviour, with placeholders such as `{{name}}` still in it. */
export type RoutedOrigin = Origin & { kind: OriginKind; signsRequests: boolean };

/** Where a request goes. */
export interface ResolvedOrigin {
  kind: OriginKind;
  domainName: string;
  /** Already at the front of the request's path. */
  originPath: string;
  /** Origin access control: CloudFront signs the request in the distribution's name. */
  signsRequests: boolean;
  id: string;
}

/** Calls origins. The body of an answer may be a stream. */
export interface OriginPort {
  fetch(origin: ResolvedOrigin, request: HttpRequest): Promise<HttpResponse>;
}

/** The input for one origin request. */
export interface OriginRequestParts {
  origin: ResolvedOrigin;
  customHeaders: Readonly<Record<string, string>>;
  cachePolicy: CachePolicy;
  originRequestPolicy: OriginRequestPolicy;
  keyed: KeyedValues;
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
  if (origin.signsRequests) delete headers['authorization'];
  return {
    ...request,
    path: `${origin.originPath}${request.path}`,
    query: query.map(({ raw }) => raw).join('&'),
    headers: { ...headers, ...parts.customHeaders },
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
  const keyedHeaders = Object.entries(keyed.headers).filter(([name]) => !isNeverForwarded(name));
  return Object.fromEntries([...forwarded, ...keyedHeaders]);
}

function isNeverForwarded(name: string): boolean {
  return NEVER_FORWARDED.has(name) || name.startsWith('x-edge-') || name.startsWith('x-amz-cf-');
}

function includesHeader(policy: OriginRequestPolicy, name: string): boolean {
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

/** Fills the tenant's parameters in for `{{name}}` in an origin's domain, path and custom headers. */
export function tenantOrigin(
  origin: RoutedOrigin,
  site: Site,
): { origin: ResolvedOrigin; customHeaders: Record<string, string> } {
  const parameters = parametersOf(site);
  const fill = (text: string): string =>
    text.replace(/\{\{([\w-]+)\}\}/g, (whole, name: string) => parameters[name] ?? whole);
  return {
    origin: {
      kind: origin.kind,
      domainName: fill(origin.domainName),
      originPath: fill(origin.originPath),
      signsRequests: origin.signsRequests,
      id: origin.id,
    },
    customHeaders: Object.fromEntries(
      Object.entries(origin.customHeaders).map(([name, value]) => [name, fill(value)]),
    ),
  };
}

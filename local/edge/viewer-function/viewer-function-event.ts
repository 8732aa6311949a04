import type { HttpRequest } from '../../http/http.ts';
import { cookiePairs, type Pair, queryPairs } from '../request-parts.ts';

/** A value of CloudFront's event structure, version 1.0. */
export interface EventValue {
  value: string;
  multiValue?: { value: string }[];
}

/** `event.request`: cookies are in `cookies`, not in `headers`. */
export interface FunctionRequest {
  method: string;
  uri: string;
  querystring: Record<string, EventValue>;
  headers: Record<string, EventValue>;
  cookies: Record<string, EventValue>;
}

/** Headers that a function cannot read or add ("Restrictions on all edge functions"). */
const HIDDEN = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'trailer',
  'upgrade',
  'x-accel-buffering',
  'x-accel-charset',
  'x-accel-limit-rate',
  'x-accel-redirect',
  'x-cache',
  'x-forwarded-proto',
  'x-real-ip',
]);

/** Whether a header is hidden from functions and may not be added by them. */
export function isHiddenHeader(name: string): boolean {
  return HIDDEN.has(name) || /^(x-amz-cf-|x-amzn-|x-edge-)/.test(name);
}

/** What a function learns about where the request came in. */
export interface FunctionContext {
  distributionId: string;
  requestId: string;
  /** The tenant, for a distribution that has tenants. */
  tenant?: FunctionTenant | undefined;
}

/** A tenant as the module `cloudfront` shows it. */
export interface FunctionTenant {
  id: string;
  parameters: Readonly<Record<string, string>>;
  endpoint: string | undefined;
}

/** The domain name: that of the distribution, or of the tenant's connection group. */
function domainNameOf({ distributionId, tenant }: FunctionContext) {
  if (tenant === undefined) {
    return { distributionDomainName: `${distributionId.toLowerCase()}.cloudfront.net` };
  }
  return tenant.endpoint === undefined ? {} : { endpoint: tenant.endpoint };
}

/** The event of a viewer-request function. */
export function functionEvent(request: HttpRequest, context: FunctionContext) {
  const headers = Object.entries(request.headers)
    .filter(([name]) => name !== 'cookie' && !isHiddenHeader(name))
    .map(([name, value]): [string, EventValue] => [name, { value }]);
  return {
    version: '1.0',
    context: {
      ...domainNameOf(context),
      distributionId: context.distributionId,
      eventType: 'viewer-request',
      requestId: context.requestId,
    },
    viewer: { ip: request.viewer.address },
    request: {
      method: request.method,
      uri: request.path,
      querystring: groupByName(queryPairs(request.query)),
      headers: Object.fromEntries(headers),
      cookies: groupByName(cookiePairs(request.headers['cookie'])),
    } satisfies FunctionRequest,
  };
}

function groupByName(pairs: Pair[]): Record<string, EventValue> {
  const values = new Map<string, { value: string }[]>();
  for (const { name, value } of pairs) {
    values.set(name, [...(values.get(name) ?? []), { value }]);
  }
  return Object.fromEntries(
    [...values].map(([name, all]): [string, EventValue] => {
      const value = all[0]?.value ?? '';
      return [name, all.length > 1 ? { value, multiValue: all } : { value }];
    }),
  );
}

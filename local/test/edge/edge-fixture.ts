import { createEdge, type EdgeOptions } from '../../edge/edge.ts';
import type { RoutedOrigin } from '../../edge/origin/origin-request.ts';
import type { HttpRequest, HttpResponse } from '../../http/http.ts';
import type { Resource } from '../../assembly/resource.ts';

const CACHING_DISABLED = '4135ea2d-6df8-44a3-9df3-4b5a84be39ad';
const ALL_BUT_HOST = 'b689b0a8-53d0-40ab-baf2-68738e2966ac';

export function aResource(
  type: string,
  logicalId: string,
  properties: Record<string, unknown>,
): Resource {
  return { logicalId, stack: 'Service', type: `AWS::CloudFront::${type}`, properties };
}

export function aRequest(
  overrides: Partial<HttpRequest> & { headers?: Record<string, string> } = {},
): HttpRequest {
  return {
    method: 'GET',
    path: '/',
    query: '',
    body: Buffer.alloc(0),
    viewer: { address: '192.0.2.7', port: 5432 },
    ...overrides,
    headers: { host: 'a.sites.localhost:8787', ...overrides.headers },
  };
}

const functionCode = `function handler(event) {
  var request = event.request;
  var cookie = request.cookies['access'];
  request.headers['x-slipway-host'] = { value: request.headers.host.value.toLowerCase().split(':')[0] };
  request.headers['x-slipway-access'] = { value: cookie ? cookie.value : '-' };
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return { statusCode: 405, statusDescription: 'No', headers: { allow: { value: 'GET, HEAD' } }, body: 'no' };
  }
  if (request.uri.startsWith('/media/')) request.uri = request.uri.slice(6);
  return request;
}`;

export function aCachePolicy(
  logicalId: string,
  overrides: Record<string, unknown> = {},
  headers: string[] = [],
  isPacked = false,
) {
  return aResource('CachePolicy', logicalId, {
    CachePolicyConfig: {
      Name: logicalId,
      MinTTL: 0,
      DefaultTTL: 0,
      MaxTTL: 31_536_000,
      ParametersInCacheKeyAndForwardedToOrigin: {
        EnableAcceptEncodingGzip: isPacked,
        EnableAcceptEncodingBrotli: isPacked,
        CookiesConfig: { CookieBehavior: 'none' },
        QueryStringsConfig: { QueryStringBehavior: 'none' },
        HeadersConfig:
          headers.length > 0
            ? { HeaderBehavior: 'whitelist', Headers: headers }
            : { HeaderBehavior: 'none' },
      },
      ...overrides,
    },
  });
}

export const visitorConfig: Record<string, unknown> = {
  Enabled: true,
  HttpVersion: 'http2and3',
  ConnectionMode: 'tenant-only',
  CacheTagConfig: { HeaderName: 'Cache-Tag' },
  Origins: [
    {
      Id: 'gate',
      DomainName: 'abc.lambda-url.us-east-1.on.aws',
      OriginAccessControlId: 'GateAccess',
      CustomOriginConfig: { OriginProtocolPolicy: 'https-only' },
    },
    {
      Id: 'media',
      DomainName: 'content.s3.us-east-1.amazonaws.com',
      OriginPath: '/content',
      OriginAccessControlId: 'MediaAccess',
      S3OriginConfig: { OriginAccessIdentity: '' },
    },
  ],
  DefaultCacheBehavior: {
    TargetOriginId: 'gate',
    ViewerProtocolPolicy: 'redirect-to-https',
    AllowedMethods: ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'POST', 'DELETE'],
    CachePolicyId: 'Pages',
    Compress: false,
    FunctionAssociations: [
      {
        EventType: 'viewer-request',
        FunctionARN: 'arn:aws:cloudfront::000000000000:function/ViewerRequest',
      },
    ],
  },
  CacheBehaviors: [
    {
      PathPattern: '/media/*',
      TargetOriginId: 'media',
      ViewerProtocolPolicy: 'redirect-to-https',
      CachePolicyId: 'Pages',
      FunctionAssociations: [
        {
          EventType: 'viewer-request',
          FunctionARN: 'arn:aws:cloudfront::000000000000:function/ViewerRequest',
        },
      ],
    },
  ],
};

const accessControl = (type: string) => ({
  OriginAccessControlConfig: {
    Name: type,
    OriginAccessControlOriginType: type,
    SigningBehavior: 'always',
    SigningProtocol: 'sigv4',
  },
});

export const appConfig: Record<string, unknown> = {
  Enabled: true,
  Aliases: ['localhost'],
  Origins: [
    {
      Id: 'api',
      DomainName: 'xyz.execute-api.us-east-1.amazonaws.com',
      OriginPath: '/prod',
      CustomOriginConfig: { OriginProtocolPolicy: 'https-only' },
      OriginCustomHeaders: [{ HeaderName: 'X-Slipway-Origin', HeaderValue: 'secret' }],
    },
  ],
  DefaultCacheBehavior: {
    TargetOriginId: 'api',
    ViewerProtocolPolicy: 'redirect-to-https',
    AllowedMethods: ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'POST', 'DELETE'],
    CachePolicyId: CACHING_DISABLED,
    OriginRequestPolicyId: ALL_BUT_HOST,
    ResponseHeadersPolicyId: 'Security',
  },
};

/** Both distributions of the product in small; parts can be replaced by their logical id. */
export function aTemplate(replaced: Resource[] = []): Resource[] {
  const resources = [
    aResource('Distribution', 'App', { DistributionConfig: appConfig }),
    aResource('Distribution', 'Visitor', { DistributionConfig: visitorConfig }),
    aResource('DistributionTenant', 'Sites', {
      DistributionId: 'Visitor',
      Name: 'sites',
      Domains: ['*.sites.localhost'],
      ConnectionGroupId: 'Group',
      Enabled: true,
    }),
    aResource('ConnectionGroup', 'Group', { Name: 'group', Ipv6Enabled: true }),
    aResource('Function', 'ViewerRequest', {
      Name: 'viewer-request',
      AutoPublish: true,
      FunctionCode: functionCode,
      FunctionConfig: { Comment: '', Runtime: 'cloudfront-js-2.0' },
    }),
    aCachePolicy('Pages', {}, ['x-slipway-host', 'x-slipway-access']),
    aResource('ResponseHeadersPolicy', 'Security', {
      ResponseHeadersPolicyConfig: {
        Name: 'security',
        SecurityHeadersConfig: { ContentTypeOptions: { Override: true } },
      },
    }),
    aResource('OriginAccessControl', 'GateAccess', accessControl('lambda')),
    aResource('OriginAccessControl', 'MediaAccess', accessControl('s3')),
  ];
  const others = resources.filter(
    (one) => !replaced.some((two) => two.logicalId === one.logicalId),
  );
  return [...others, ...replaced];
}

/** An edge whose origins answer with `reply` and note what they were asked. */
export function anEdge(
  reply: (request: HttpRequest, origin: RoutedOrigin) => HttpResponse | Promise<HttpResponse>,
  options: Partial<EdgeOptions> = {},
) {
  const originCalls: { request: HttpRequest; origin: RoutedOrigin }[] = [];
  const reports: string[] = [];
  let time = Date.parse('2026-01-01T00:00:00Z');
  const edge = createEdge({
    resources: aTemplate(),
    clock: { now: () => new Date(time), offsetMs: 0 },
    origins: {
      async fetch(origin, request) {
        originCalls.push({ request, origin });
        return reply(request, origin);
      },
    },
    report: (message) => reports.push(message),
    ...options,
  });
  return {
    edge,
    originCalls,
    reports,
    now: () => new Date(time),
    advance: (seconds: number) => {
      time += seconds * 1000;
    },
  };
}

export function anAnswer(
  headers: Record<string, string | string[]> = {},
  body = 'hello',
  status = 200,
): HttpResponse {
  return { status, headers: { 'content-type': 'text/html', ...headers }, body: Buffer.from(body) };
}

/** The text of an answer whose body is not a stream. */
export function text(response: HttpResponse): string {
  if (!Buffer.isBuffer(response.body)) throw new Error('the body is a stream');
  return response.body.toString();
}

/** The value of `X-Cache`. */
export const word = (response: HttpResponse) => response.headers['x-cache'];

/** A request to the app itself. */
export const api = (overrides: Partial<HttpRequest> = {}) =>
  aRequest({
    path: '/v1',
    ...overrides,
    headers: { host: 'localhost:8787', ...overrides.headers },
  });

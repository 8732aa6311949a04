import type { GatewayCall, Route } from './definition/api-model.ts';
import { isBinary, queryParameters, requestTime } from './request.ts';
import type { RouteMatch } from './match-route.ts';

/** Request headers that functions do not get. */
const DROPPED_HEADERS = new Set([
  'connection',
  'content-length',
  'content-md5',
  'expect',
  'max-forwards',
  'proxy-authenticate',
  'server',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'www-authenticate',
]);

/** Headers that CloudFront and API Gateway capitalise in every request. */
const CAPITALISED =
  /^(?:authorization|cloudfront-.*|host|user-agent|via|x-amz-cf-id|x-amzn-trace-id|x-forwarded-.*)$/;

/**
 * The Lambda proxy event of a REST API, payload version 1.0; `authorizer` is the authorizer's context,
 * if the method has one.
 */
export function proxyEvent(
  call: GatewayCall,
  match: RouteMatch<Route>,
  authorizer?: Record<string, string | number>,
) {
  const { request, api } = call;
  const { route, pathParameters } = match;
  const headers = eventHeaders(call);
  const query = queryParameters(request.query);
  const binary = isBinary(request.headers['content-type'], api.binaryMediaTypes);
  return {
    resource: route.path,
    path: request.path,
    httpMethod: request.method,
    headers: Object.fromEntries(headers),
    multiValueHeaders: Object.fromEntries(headers.map(([name, value]) => [name, [value]])),
    // The last value of a repeated parameter counts.
    queryStringParameters: orNull([...query].map(([name, values]) => [name, values.at(-1) ?? ''])),
    multiValueQueryStringParameters: orNull([...query]),
    pathParameters: orNull(Object.entries(pathParameters)),
    stageVariables: api.stageVariables,
    requestContext: {
      ...requestContext(call, route),
      ...(authorizer !== undefined && { authorizer }),
    },
    body: request.body.length === 0 ? null : request.body.toString(binary ? 'base64' : 'utf8'),
    isBase64Encoded: request.body.length > 0 && binary,
  };
}

function orNull<T>(entries: readonly (readonly [string, T])[]): Record<string, T> | null {
  return entries.length === 0 ? null : Object.fromEntries(entries);
}

function eventHeaders(call: GatewayCall): [string, string][] {
  const { request } = call;
  const forwardedFor = request.headers['x-forwarded-for'];
  const sent = {
    ...request.headers,
    host: call.domainName,
    'x-amzn-trace-id': call.traceId,
    'x-forwarded-for': [forwardedFor, request.viewer.address].filter(Boolean).join(', '),
    'x-forwarded-port': '443',
    'x-forwarded-proto': 'https',
  };
  return Object.entries(sent)
    .filter(([name]) => !DROPPED_HEADERS.has(name))
    .map(([name, value]) => [CAPITALISED.test(name) ? capitalise(name) : name, value]);
}

function capitalise(name: string): string {
  const words = name.replaceAll(/(^|-)([a-z])/g, (letter) => letter.toUpperCase());
  return words.replace('Cloudfront', 'CloudFront');
}

function requestContext(call: GatewayCall, route: Route) {
  const { api, request, receivedAt } = call;
  return {
    accountId: '000000000000',
    apiId: api.apiId,
    deploymentId: api.deploymentId,
    domainName: call.domainName,
    domainPrefix: api.apiId,
    extendedRequestId: call.extendedRequestId,
    httpMethod: request.method,
    identity: {
      accessKey: null,
      accountId: null,
      caller: null,
      cognitoAuthenticationProvider: null,
      cognitoAuthenticationType: null,
      cognitoIdentityId: null,
      cognitoIdentityPoolId: null,
      principalOrgId: null,
      sourceIp: request.viewer.address,
      user: null,
      userAgent: request.headers['user-agent'] ?? null,
      userArn: null,
    },
    path: `/${api.stageName}${request.path}`,
    protocol: 'HTTP/1.1',
    requestId: call.requestId,
    requestTime: requestTime(receivedAt),
    requestTimeEpoch: receivedAt.getTime(),
    resourceId: route.resourceId,
    resourcePath: route.path,
    stage: api.stageName,
  };
}

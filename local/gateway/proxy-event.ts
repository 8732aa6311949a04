import type { GatewayCall, Route } from './definition/api-model.ts';
import { requestTime } from './gateway-call.ts';
import type { RouteMatch } from './match-route.ts';
import { isBinary } from './media-type.ts';
import { queryParameters } from './query-parameters.ts';

/** Request headers that never reach a function. */
const droppedHeaders = new Set([
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

/** Headers that CloudFront and API Gateway write in capitals, whatever the client sent. */
const capitalised =
  /^(?:authorization|cloudfront-.*|host|user-agent|via|x-amz-cf-id|x-amzn-trace-id|x-forwarded-.*)$/;

/**
 * The Lambda proxy event, payload version 1.0, as a REST API sends it; with what the authorizer said
 * where the method has one.
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
    // Of a repeated parameter the last value counts.
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
    .filter(([name]) => !droppedHeaders.has(name))
    .map(([name, value]) => [capitalised.test(name) ? capitals(name) : name, value]);
}

function capitals(name: string): string {
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

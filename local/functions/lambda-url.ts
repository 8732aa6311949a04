import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { ACCOUNT, REGION } from '../assembly/resource-type.ts';
import type { HttpRequest, HttpResponse } from '../http/http.ts';
import { outgoingHeaderName, streamedAnswer } from './streamed-answer.ts';
import type { InvokeResult, StreamResult } from '../lambda/invoke-result.ts';

/** The options of one Function URL. */
export interface FunctionUrlOptions {
  functionName: string;
  invokeMode: 'BUFFERED' | 'RESPONSE_STREAM';
  now(): Date;
  invoke(functionName: string, event: unknown): Promise<InvokeResult>;
  stream(functionName: string, event: unknown): Promise<StreamResult>;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `21/Nov/2025:08:45:00 +0000` */
function logTime(at: Date): string {
  const [date = '', time = ''] = at.toISOString().split('T');
  const [year, month, day] = date.split('-');
  return `${day}/${MONTHS[Number(month) - 1]}/${year}:${time.slice(0, 8)} +0000`;
}

/** Bodies of these types are passed as text, all others as base64. */
function isText(contentType: string): boolean {
  return /^(text\/|application\/(json|javascript|xml|x-www-form-urlencoded)|[^;]*\+(json|xml))/i.test(
    contentType,
  );
}

function queryParameters(query: string): Record<string, string> | undefined {
  if (query === '') return undefined;
  const parameters: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(query)) {
    const before = parameters[name];
    parameters[name] = before === undefined ? value : `${before},${value}`;
  }
  return parameters;
}

/** The identity of the caller: with origin access control, CloudFront itself signs. */
const CLOUDFRONT_CALLER = {
  iam: {
    accessKey: 'ASIACLOUDFRONTLOCAL',
    accountId: ACCOUNT,
    callerId: 'cloudfront',
    cognitoIdentity: null,
    principalOrgId: null,
    userArn: 'arn:aws:sts::aws:assumed-role/cloudfront/origin-access-control',
    userId: 'cloudfront',
  },
};

/** The event of a Function URL (payload format 2.0). */
export function functionUrlEvent(request: HttpRequest, functionName: string, now: Date) {
  const { method, path, query, headers, body, viewer } = request;
  const { cookie, authorization: _signature, ...others } = headers;
  const domainName = headers['host'] ?? `${functionName}.lambda-url.${REGION}.on.aws`;
  const asText = isText(headers['content-type'] ?? '');
  const parameters = queryParameters(query);
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: decodedPath(path),
    rawQueryString: query,
    ...(cookie !== undefined && { cookies: cookie.split(/;\s*/) }),
    headers: others,
    ...(parameters !== undefined && { queryStringParameters: parameters }),
    requestContext: {
      accountId: ACCOUNT,
      apiId: domainName.split('.')[0] ?? functionName,
      authentication: null,
      authorizer: CLOUDFRONT_CALLER,
      domainName,
      domainPrefix: domainName.split('.')[0] ?? functionName,
      http: {
        method,
        path: decodedPath(path),
        protocol: 'HTTP/1.1',
        sourceIp: viewer.address,
        userAgent: headers['user-agent'] ?? '',
      },
      requestId: randomUUID(),
      routeKey: '$default',
      stage: '$default',
      time: logTime(now),
      timeEpoch: now.getTime(),
    },
    ...(body.length > 0 && { body: body.toString(asText ? 'utf8' : 'base64') }),
    isBase64Encoded: body.length > 0 && !asText,
  };
}

/** Function URLs decode the path, so `%2f` and `/` look the same to the function. */
function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const StructuredAnswer = z.object({
  statusCode: z.int().min(100).max(599),
  headers: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
  cookies: z.array(z.string()).default([]),
  body: z.string().default(''),
  isBase64Encoded: z.boolean().default(false),
});

/**
 * The HTTP response for a function's result; a result without `statusCode` is a JSON body with 200.
 *
 * Headers that the service sends itself are renamed, such as `content-length`: the length is that of the
 * body, and HEAD has none.
 */
export function functionUrlAnswer(payload: unknown, method: string): HttpResponse {
  const hasStatus = typeof payload === 'object' && payload !== null && 'statusCode' in payload;
  if (!hasStatus) {
    const body = Buffer.from(
      typeof payload === 'string' ? payload : (JSON.stringify(payload) ?? ''),
    );
    return { status: 200, headers: { 'content-type': 'application/json' }, body };
  }
  const parsed = StructuredAnswer.safeParse(payload);
  if (!parsed.success) return errorAnswer(502);
  const { statusCode, headers, cookies, body, isBase64Encoded } = parsed.data;
  const named = Object.entries(headers).flatMap(([name, value]) => {
    const outgoing = outgoingHeaderName(name);
    return outgoing === undefined ? [] : [[outgoing, String(value)]];
  });
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  const hasContent = method !== 'HEAD' && statusCode !== 204 && statusCode !== 304;
  return {
    status: statusCode,
    headers: {
      'content-type': 'application/json',
      ...Object.fromEntries(named),
      ...(cookies.length > 0 && { 'set-cookie': cookies }),
      ...(hasContent && { 'content-length': String(bytes.byteLength) }),
    },
    body: bytes,
  };
}

function errorAnswer(status: 403 | 429 | 502): HttpResponse {
  const Message = { 403: 'Forbidden', 429: 'Rate Exceeded.', 502: 'Internal Server Error' }[status];
  const body = Buffer.from(JSON.stringify({ Message }));
  return { status, headers: { 'content-type': 'application/json' }, body };
}

/** The response to a caller without permission. */
export const forbidden = (): HttpResponse => errorAnswer(403);

/** The response to a signature that does not match the request. */
export function wrongSignature(): HttpResponse {
  const message =
    'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.';
  const body = Buffer.from(JSON.stringify({ message }));
  return { status: 403, headers: { 'content-type': 'application/json' }, body };
}

/** Answers a request to a Function URL by calling its function. */
export async function callFunctionUrl(
  request: HttpRequest,
  options: FunctionUrlOptions,
): Promise<HttpResponse> {
  const { functionName, invokeMode } = options;
  const event = functionUrlEvent(request, functionName, options.now());
  if (invokeMode === 'RESPONSE_STREAM') {
    const result = await options.stream(functionName, event);
    return result.ok ? ((await streamedAnswer(result)) ?? errorAnswer(502)) : failedAnswer(result);
  }
  const result = await options.invoke(functionName, event);
  return result.ok ? functionUrlAnswer(result.payload, request.method) : failedAnswer(result);
}

function failedAnswer({ errorType }: { errorType: string }): HttpResponse {
  return errorAnswer(errorType === 'TooManyRequestsException' ? 429 : 502);
}

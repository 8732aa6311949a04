import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { ACCOUNT, REGION } from '../assembly/resource-type.ts';
import type { HttpRequest, HttpResponse } from '../http/http.ts';
import type { InvokeResult, StreamResult } from '../lambda/invoke-result.ts';
import { streamedAnswer } from './streamed-answer.ts';

/** What a Function URL is made of. */
export interface FunctionUrlOptions {
  functionName: string;
  invokeMode: 'BUFFERED' | 'RESPONSE_STREAM';
  now(): Date;
  invoke(functionName: string, event: unknown): Promise<InvokeResult>;
  stream(functionName: string, event: unknown): Promise<StreamResult>;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `21/Nov/2025:08:45:00 +0000` */
function clfTime(at: Date): string {
  const [date = '', time = ''] = at.toISOString().split('T');
  const [year, month, day] = date.split('-');
  return `${day}/${MONTHS[Number(month) - 1]}/${year}:${time.slice(0, 8)} +0000`;
}

/** Bodies of these types reach functions as text, all others as base64. */
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

/** Who calls with an identity; CloudFront's origin access control signs as CloudFront itself. */
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

/** A request as a Function URL hands it to its function (payload format 2.0). */
export function functionUrlEvent(request: HttpRequest, functionName: string, now: Date) {
  const { method, path, query, headers, body, viewer } = request;
  const { cookie, ...others } = headers;
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
      time: clfTime(now),
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

/** What a function returned as an HTTP answer; without a `statusCode` it is a JSON body with 200. */
export function functionUrlAnswer(payload: unknown): HttpResponse {
  const hasStatus = typeof payload === 'object' && payload !== null && 'statusCode' in payload;
  if (!hasStatus) {
    const body = Buffer.from(
      typeof payload === 'string' ? payload : (JSON.stringify(payload) ?? ''),
    );
    return { status: 200, headers: { 'content-type': 'application/json' }, body };
  }
  const parsed = StructuredAnswer.safeParse(payload);
  if (!parsed.success) return failure(502);
  const { statusCode, headers, cookies, body, isBase64Encoded } = parsed.data;
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
  return {
    status: statusCode,
    headers: {
      'content-type': 'application/json',
      ...Object.fromEntries(named),
      ...(cookies.length > 0 && { 'set-cookie': cookies }),
    },
    body: Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'),
  };
}

function failure(status: 403 | 429 | 502): HttpResponse {
  const Message = { 403: 'Forbidden', 429: 'Rate Exceeded.', 502: 'Internal Server Error' }[status];
  const body = Buffer.from(JSON.stringify({ Message }));
  return { status, headers: { 'content-type': 'application/json' }, body };
}

/** The answer to a caller who may not use the URL. */
export const forbidden = (): HttpResponse => failure(403);

/** Answers a request to a Function URL by calling its function. */
export async function callFunctionUrl(
  request: HttpRequest,
  options: FunctionUrlOptions,
): Promise<HttpResponse> {
  const { functionName, invokeMode } = options;
  const event = functionUrlEvent(request, functionName, options.now());
  if (invokeMode === 'RESPONSE_STREAM') {
    const result = await options.stream(functionName, event);
    return result.ok ? ((await streamedAnswer(result)) ?? failure(502)) : failed(result);
  }
  const result = await options.invoke(functionName, event);
  return result.ok ? functionUrlAnswer(result.payload) : failed(result);
}

function failed({ errorType }: { errorType: string }): HttpResponse {
  return failure(errorType === 'TooManyRequestsException' ? 429 : 502);
}

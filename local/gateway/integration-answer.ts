import * as z from 'zod';
import type { HttpResponse } from '../http/http.ts';
import { outgoingHeaderName } from '../functions/streamed-answer.ts';
import type { GatewayCall } from './definition/api-model.ts';
import { firstMediaType, isBinary } from './request.ts';
import { type Refusal, refusals } from './refusal.ts';
import type { Integration } from './definition/method.ts';

const HeaderValue = z.union([z.string(), z.boolean().transform(String)]);

/** The result of a function: all fields are optional, but an unknown field is a 502. */
const ProxyAnswer = z.strictObject({
  statusCode: z.coerce.number().int().min(100).max(599).default(200),
  headers: z.record(z.string(), HeaderValue).nullish(),
  multiValueHeaders: z.record(z.string(), z.array(HeaderValue)).nullish(),
  body: z.string().nullish(),
  isBase64Encoded: z.boolean().nullish(),
});

/** The HTTP response for a function's result, or a refusal if it is not a valid proxy response. */
export function proxyAnswer(call: GatewayCall, payload: unknown): HttpResponse | Refusal {
  const parsed = ProxyAnswer.safeParse(payload);
  if (!parsed.success) return refusals.functionFailed;
  const answer = parsed.data;
  const text = answer.body ?? '';
  const decodes =
    answer.isBase64Encoded === true &&
    isBinary(call.request.headers['accept'], call.api.binaryMediaTypes);
  if (decodes && !/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(text)) return refusals.misconfigured;
  const body = Buffer.from(text, decodes ? 'base64' : 'utf8');
  return {
    status: answer.statusCode,
    headers: {
      'content-type': 'application/json',
      ...mergeHeaders(answer.headers ?? {}, answer.multiValueHeaders ?? {}),
      'x-amzn-requestid': call.requestId,
      'x-amz-apigw-id': call.extendedRequestId,
      'x-amzn-trace-id': call.traceId,
    },
    body: call.request.method === 'HEAD' ? Buffer.alloc(0) : body,
  };
}

/** A value that is in both maps is sent once. */
function mergeHeaders(
  single: Record<string, string>,
  multiple: Record<string, string[]>,
): Record<string, string | string[]> {
  const merged = new Map<string, readonly string[]>();
  const entries = [
    ...Object.entries(single).map(([name, value]) => [name, [value]] as const),
    ...Object.entries(multiple),
  ];
  for (const [sent, values] of entries) {
    const name = outgoingHeaderName(sent);
    if (name === undefined) continue;
    const others = (merged.get(name) ?? []).filter((value) => !values.includes(value));
    merged.set(name, [...others, ...values]);
  }
  return Object.fromEntries(
    [...merged].map(([name, [first = '', ...more]]) => [
      name,
      more.length === 0 ? first : [first, ...more],
    ]),
  );
}

type Mock = Extract<Integration, { kind: 'mock' }>;

/** The fixed answer of a MOCK integration. */
export function mockAnswer(call: GatewayCall, mock: Mock): HttpResponse | Refusal {
  const mediaType = firstMediaType(call.request.headers['content-type']) || 'application/json';
  if (!mock.mediaTypes.includes(mediaType)) return refusals.unsupportedMediaType;
  const { status, headers, body } = mock.answer;
  return {
    status,
    headers: {
      ...(status === 204 ? {} : { 'content-type': 'application/json' }),
      ...headers,
      'x-amzn-requestid': call.requestId,
      'x-amz-apigw-id': call.extendedRequestId,
    },
    body: Buffer.from(call.request.method === 'HEAD' ? '' : body),
  };
}

import * as z from 'zod';
import type { HttpResponse } from '../http/http.ts';
import type { GatewayCall } from './definition/api-model.ts';
import { isBinary } from './media-type.ts';
import { type Refusal, refusals } from './refusal.ts';

const HeaderValue = z.union([z.string(), z.boolean().transform(String)]);

/** What a function may answer: every field may be missing, but one field more is an error 502. */
const ProxyAnswer = z.strictObject({
  statusCode: z.coerce.number().int().min(100).max(599).default(200),
  headers: z.record(z.string(), HeaderValue).nullish(),
  multiValueHeaders: z.record(z.string(), z.array(HeaderValue)).nullish(),
  body: z.string().nullish(),
  isBase64Encoded: z.boolean().nullish(),
});

/** Headers that a function's answer cannot set: the service sends them under another name. */
const remappedHeaders = new Set([
  'authorization',
  'connection',
  'content-length',
  'content-md5',
  'date',
  'expect',
  'host',
  'max-forwards',
  'proxy-authenticate',
  'server',
  'trailer',
  'upgrade',
  'user-agent',
  'www-authenticate',
]);

/** The HTTP answer for what a function returned, or the refusal if that is no proxy response. */
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

/** A value that stands in both kinds of headers is sent once. */
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
    const name = outgoingName(sent.toLowerCase());
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

function outgoingName(name: string): string | undefined {
  if (name === 'transfer-encoding') return undefined;
  return remappedHeaders.has(name) ? `x-amzn-remapped-${name}` : name;
}

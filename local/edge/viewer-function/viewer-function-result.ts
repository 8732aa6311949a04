import * as z from 'zod';
import type { HttpRequest, HttpResponse } from '../../http/http.ts';
import { type EventValue, type FunctionRequest, isHiddenHeader } from './viewer-function-event.ts';

/** The function changed something that viewer-request functions must not change. */
export class InvalidFunctionResultError extends Error {}

const Value = z
  .object({
    value: z.string(),
    multiValue: z.array(z.object({ value: z.string() })).optional(),
    attributes: z.string().optional(),
  })
  .transform(({ value, multiValue, attributes }) => ({
    value,
    ...(multiValue === undefined ? {} : { multiValue }),
    ...(attributes === undefined ? {} : { attributes }),
  }));
const Values = z.record(z.string(), Value).default({});

/** A request that a function returned. */
export const RewrittenRequest = z.object({
  method: z.string(),
  uri: z.string().startsWith('/'),
  querystring: Values,
  headers: Values,
  cookies: Values,
});

/** A response that a function returned in place of the request. */
export const GeneratedResponse = z.object({
  statusCode: z.int().min(200).max(599),
  statusDescription: z.string().optional(),
  headers: Values,
  cookies: Values,
  body: z
    .union([
      z.string(),
      z.object({ encoding: z.enum(['text', 'base64']).default('text'), data: z.string() }),
    ])
    .optional(),
});

/** Headers that a viewer-request function may read but not change. */
const READ_ONLY = ['cdn-loop', 'content-length', 'host', 'transfer-encoding', 'via'];

/** The viewer's request after the function; unchanged parts stay byte for byte. */
export function requestAfter(
  original: HttpRequest,
  before: FunctionRequest,
  after: z.output<typeof RewrittenRequest>,
): HttpRequest {
  if (after.method !== before.method) throw new InvalidFunctionResultError('changed the method');
  const headers = lowercased(after.headers);
  for (const name of Object.keys(headers)) {
    if (isHiddenHeader(name)) throw new InvalidFunctionResultError(`added header ${name}`);
  }
  for (const name of READ_ONLY) {
    if (headers[name] !== before.headers[name]?.value) {
      throw new InvalidFunctionResultError(`changed header ${name}`);
    }
  }
  delete headers['cookie'];
  const cookie = isSame(before.cookies, after.cookies)
    ? original.headers['cookie']
    : flatten(after.cookies).join('; ');
  return {
    ...original,
    path: after.uri,
    query: isSame(before.querystring, after.querystring)
      ? original.query
      : flatten(after.querystring).join('&'),
    headers: { ...headers, ...(cookie === undefined || cookie === '' ? {} : { cookie }) },
  };
}

/** The response that the function generated. */
export function responseOf(generated: z.output<typeof GeneratedResponse>): HttpResponse {
  const headers: Record<string, string | string[]> = {};
  for (const [name, { value, multiValue }] of Object.entries(generated.headers)) {
    const key = name.toLowerCase();
    if (isHiddenHeader(key) || key === 'content-length' || key === 'transfer-encoding') {
      throw new InvalidFunctionResultError(`answered with header ${key}`);
    }
    headers[key] = multiValue === undefined ? value : multiValue.map((item) => item.value);
  }
  const cookies = Object.entries(generated.cookies).map(([name, { value, attributes }]) =>
    attributes === undefined ? `${name}=${value}` : `${name}=${value}; ${attributes}`,
  );
  if (cookies.length > 0) headers['set-cookie'] = cookies;
  return { status: generated.statusCode, headers, body: toBody(generated.body) };
}

/** The bytes of a body that a function gives. */
export function toBody(body: z.output<typeof GeneratedResponse>['body']): Buffer {
  if (body === undefined) return Buffer.alloc(0);
  if (typeof body === 'string') return Buffer.from(body);
  return Buffer.from(body.data, body.encoding === 'base64' ? 'base64' : 'utf8');
}

function lowercased(values: Record<string, EventValue>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, { value, multiValue }]) => [
      name.toLowerCase(),
      multiValue === undefined ? value : multiValue.map((item) => item.value).join(', '),
    ]),
  );
}

function flatten(values: Record<string, EventValue>): string[] {
  return Object.entries(values).flatMap(([name, { value, multiValue }]) =>
    (multiValue ?? [{ value }]).map((item) => `${name}=${item.value}`),
  );
}

function isSame(a: Record<string, EventValue>, b: Record<string, EventValue>): boolean {
  return flatten(a).join('\n') === flatten(b).join('\n');
}

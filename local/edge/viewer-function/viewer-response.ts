import * as z from 'zod';
import type { HttpRequest, HttpResponse } from '../../http/http.ts';
import {
  type EventValue,
  type FunctionContext,
  functionEvent,
  isHiddenHeader,
} from './viewer-function-event.ts';
import { GeneratedResponse, InvalidFunctionResultError, toBody } from './viewer-function-result.ts';

/** Headers that a viewer-response function may read but not change. */
const READ_ONLY = ['via', 'warning'];

type Headers = Record<string, EventValue>;

/** Headers that a function sees: cookies are apart, and some are hidden from it. */
function visibleHeaders({ headers }: HttpResponse): Headers {
  const entries = Object.entries(headers)
    .filter(([name]) => name !== 'set-cookie' && !isHiddenHeader(name))
    .map(([name, value]): [string, EventValue] => {
      const [first = '', ...more] = [value].flat();
      const all = [first, ...more].map((one) => ({ value: one }));
      return [name, more.length === 0 ? { value: first } : { value: first, multiValue: all }];
    });
  return Object.fromEntries(entries);
}

/** The event of a viewer-response function. Cookies of the response are not in it. */
export function responseEvent(
  request: HttpRequest,
  response: HttpResponse,
  context: FunctionContext,
) {
  const event = functionEvent(request, context);
  return {
    ...event,
    context: { ...event.context, eventType: 'viewer-response' },
    response: { statusCode: response.status, headers: visibleHeaders(response), cookies: {} },
  };
}

/** A result: without a `body`, the body of the origin stays. */
export const ChangedResponse = GeneratedResponse.extend({
  cookies: z.strictObject({}, 'changing cookies of a response is not supported').default({}),
});

/**
 * The response to the viewer after the function.
 * @throws InvalidFunctionResultError for a header that it must not change or add: CloudFront answers 502
 */
export function responseAfter(
  original: HttpResponse,
  changed: z.output<typeof ChangedResponse>,
): HttpResponse {
  const before = visibleHeaders(original);
  const after = changed.headers;
  for (const name of READ_ONLY) {
    if (before[name]?.value !== after[name]?.value)
      throw new InvalidFunctionResultError(`changed header ${name}`);
  }
  const headers = Object.fromEntries(
    Object.entries(original.headers).filter(
      ([name]) => name === 'set-cookie' || isHiddenHeader(name),
    ),
  );
  for (const [name, { value, multiValue }] of Object.entries(after)) {
    if (isHiddenHeader(name)) throw new InvalidFunctionResultError(`answered with header ${name}`);
    headers[name] = multiValue === undefined ? value : multiValue.map((item) => item.value);
  }
  if (changed.body === undefined)
    return { status: changed.statusCode, headers, body: original.body };
  const body = toBody(changed.body);
  headers['content-length'] = String(body.byteLength);
  return { status: changed.statusCode, headers, body };
}

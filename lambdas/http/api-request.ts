import type { Context } from 'aws-lambda';
import * as z from 'zod';
import type { Caller } from '../../core/caller.ts';
import { browserCookie } from './session-cookie.ts';

const Texts = z
  .record(z.string(), z.string().optional())
  .nullish()
  .transform((texts) => texts ?? {});

/** Headers of an API Gateway event, by lowercase name. */
export const EventHeaders = Texts.transform((headers) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
);

const TextLists = z
  .record(z.string(), z.array(z.string()).optional())
  .nullish()
  .transform((lists) => lists ?? {});

/** The fields that we use of an API Gateway REST proxy event (payload format 1.0). */
const ApiEvent = z.object({
  resource: z.string(),
  httpMethod: z.string(),
  headers: EventHeaders,
  pathParameters: Texts,
  queryStringParameters: Texts,
  multiValueQueryStringParameters: TextLists,
  body: z.string().nullable(),
  isBase64Encoded: z.boolean().default(false),
  requestContext: z.object({ requestId: z.string() }),
});

/** One request to the public interface, on any route. */
export interface ApiRequest {
  method: string;
  /** The route's template, as in the operation: `/v1/projects/{projectId}`. */
  route: string;
  /** By lowercase name. */
  headers: Record<string, string | undefined>;
  pathParameters: Record<string, string | undefined>;
  query: Record<string, string | undefined>;
  /** All values of each query parameter, decoded. */
  queryParameters: URLSearchParams;
  body: Buffer;
  caller: Required<Caller>;
  /** Remaining execution time of the function. */
  remainingMs(): number;
}

/** Whether a request only reads. */
export function isRead({ method }: Pick<ApiRequest, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Reads an API Gateway event. */
export function readApiRequest(
  event: unknown,
  context: Pick<Context, 'getRemainingTimeInMillis'>,
): ApiRequest {
  const parsed = ApiEvent.parse(event);
  const { headers } = parsed;
  return {
    method: parsed.httpMethod,
    route: parsed.resource,
    headers,
    pathParameters: parsed.pathParameters,
    query: parsed.queryStringParameters,
    queryParameters: allQueryValues(parsed.multiValueQueryStringParameters),
    body: Buffer.from(parsed.body ?? '', parsed.isBase64Encoded ? 'base64' : 'utf8'),
    caller: {
      // Set by our edge function; trusted because `requireEdge` checks the origin secret.
      address: headers['x-slipway-viewer'] ?? 'unknown',
      requestId: parsed.requestContext.requestId,
      limits: [],
      agent: {
        userAgent: headers['user-agent'] ?? '',
        country: headers['cloudfront-viewer-country'] ?? '',
        browserToken: browserCookie.read(headers['cookie']),
      },
    },
    remainingMs: () => context.getRemainingTimeInMillis(),
  };
}

function allQueryValues(lists: Record<string, string[] | undefined>): URLSearchParams {
  const pairs = Object.entries(lists).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  return new URLSearchParams(pairs);
}

import type { Context } from 'aws-lambda';
import * as z from 'zod';
import type { Caller } from '../../core/caller.ts';
import { CodedError } from '../../core/errors.ts';
import { browserCookie } from '../accounts/session-cookie.ts';
import { isSignedWith, type RotatingSecret } from '../../core/secrets/rotating-secret.ts';

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

/** What we read of an API Gateway REST proxy event (payload format 1.0). */
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

/** One request of the public interface, on any route. */
export interface ApiRequest {
  method: string;
  /** The route's template, as in the operation: `/v1/projects/{projectId}`. */
  route: string;
  /** By lowercase name. */
  headers: Record<string, string | undefined>;
  pathParameters: Record<string, string | undefined>;
  query: Record<string, string | undefined>;
  /** Every value of a parameter that is repeated; decoded. */
  queryParameters: URLSearchParams;
  body: Buffer;
  caller: Required<Caller>;
  /** What is left of the function's time. */
  remainingMs(): number;
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
    queryParameters: everyValue(parsed.multiValueQueryStringParameters),
    body: Buffer.from(parsed.body ?? '', parsed.isBase64Encoded ? 'base64' : 'utf8'),
    caller: {
      // Set by our edge function, believed together with the origin secret.
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

/**
 * Lets only our own CloudFront distribution in: the interface is not to be reached past it,
 * because it alone tells the caller's address truly.
 * @throws CodedError FORBIDDEN
 */
export function requireOrigin(
  { headers }: Pick<ApiRequest, 'headers'>,
  secret: RotatingSecret,
): void {
  if (!cameThroughEdge(headers, secret)) {
    throw new CodedError('FORBIDDEN', { error: 'This address is not for direct use.' });
  }
}

/** Whether a request carries the header that only our CloudFront distribution can add. */
export function cameThroughEdge(headers: ApiRequest['headers'], secret: RotatingSecret): boolean {
  return isSignedWith(secret, headers['x-slipway-origin'] ?? '', (value) => value);
}

function everyValue(lists: Record<string, string[] | undefined>): URLSearchParams {
  const pairs = Object.entries(lists).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  return new URLSearchParams(pairs);
}

import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../time/clock.ts';
import type { HttpResponse } from '../../http/http.ts';
import type { SecretLookup } from '../../signatures/verify-signature.ts';
import { authenticate } from './authenticate.ts';
import type { Bucket } from '../bucket.ts';
import { assertSupportedHeaders } from '../objects/object-metadata.ts';
import { type RouteContext, type S3Call, emptyResponse, xmlResponse } from './route-context.ts';
import { findRoute } from './routes.ts';
import { S3Error } from './s3-error.ts';
import { type S3Request, parseS3Request, queryValue } from './s3-request.ts';
import type { BucketConfig, CorsRule } from '../bucket-config.ts';

/** What the server needs to answer requests. */
export interface S3Deps {
  buckets: Map<string, Bucket>;
  clock: Clock;
  secretFor: SecretLookup;
  authorize: (call: S3Call) => boolean;
  onCall: (call: S3Call) => void;
}

/** Answers one request; errors become S3's error documents. */
export async function answerRequest(
  deps: S3Deps,
  incoming: IncomingMessage,
): Promise<HttpResponse> {
  const requestId = randomBytes(8).toString('hex').toUpperCase();
  const cors: Record<string, string> = {};
  let response: HttpResponse;
  try {
    const request = parseS3Request(incoming);
    const config = deps.buckets.get(request.bucket)?.config ?? {};
    Object.assign(cors, corsHeaders(config, request.method, request.headers));
    response = await dispatch(deps, request);
  } catch (error) {
    response = errorResponse(error, requestId, incoming.method === 'HEAD');
  }
  const date = deps.clock.now().toUTCString();
  return {
    ...response,
    headers: {
      ...cors,
      ...response.headers,
      'x-amz-request-id': requestId,
      date,
      server: 'AmazonS3',
    },
  };
}

/** S3's error document; an unexpected error is logged and becomes `InternalError`. */
export function errorResponse(error: unknown, requestId: string, isHead: boolean): HttpResponse {
  if (!(error instanceof S3Error)) console.error('local S3:', error);
  const known = error instanceof S3Error ? error : new S3Error('InternalError');
  const details = Object.entries(known.details).map(([name, value]) => [name, value] as const);
  const response = xmlResponse(
    [
      'Error',
      [['Code', known.code], ['Message', known.message], ...details, ['RequestId', requestId]],
    ],
    {},
    known.status,
  );
  return isHead ? { ...response, body: Buffer.alloc(0) } : response;
}

async function dispatch(deps: S3Deps, request: S3Request): Promise<HttpResponse> {
  if (request.method === 'OPTIONS') {
    return answerPreflight(bucketNamed(deps, request.bucket).config, request.headers);
  }
  const auth = authenticate(request, { secretFor: deps.secretFor, now: deps.clock.now() });
  if (request.bucket === '') {
    throw new S3Error('NotImplemented', undefined, { Operation: `${request.method} service` });
  }
  const route = findRoute(request, auth.headers);
  assertSupportedHeaders(auth.headers);
  const { accessKeyId } = auth;
  const own = { bucket: request.bucket, ...(request.key !== '' && { key: request.key }) };
  const context: RouteContext = {
    request,
    auth,
    bucket: bucketNamed(deps, request.bucket),
    now: () => deps.clock.now(),
    requirePermission: (action, on = own) =>
      requirePermission(deps, { accessKeyId, action, ...on }),
    isPermitted: (action) => deps.authorize({ accessKeyId, action, bucket: request.bucket }),
  };
  const isListing = route.action === 's3:ListBucket' || route.action === 's3:ListBucketVersions';
  const prefix = isListing ? queryValue(request, 'prefix') : undefined;
  if (route.action !== undefined) {
    context.requirePermission(route.action, { ...own, ...(prefix !== undefined && { prefix }) });
  }
  return route.handle(context);
}

function requirePermission(deps: S3Deps, call: S3Call): void {
  if (!deps.authorize(call)) throw new S3Error('AccessDenied');
  deps.onCall(call);
}

function bucketNamed({ buckets }: S3Deps, name: string): Bucket {
  const bucket = buckets.get(name);
  if (bucket === undefined) throw new S3Error('NoSuchBucket', undefined, { BucketName: name });
  return bucket;
}

type Headers = Record<string, string>;

const VARY = 'Origin, Access-Control-Request-Headers, Access-Control-Request-Method';

/** The answer to an `OPTIONS` preflight, or `AccessForbidden` when no rule allows it. */
function answerPreflight(config: BucketConfig, headers: Headers): HttpResponse {
  const origin = headers.origin;
  const method = headers['access-control-request-method'];
  if (origin === undefined || method === undefined) {
    throw new S3Error('BadRequest', 'Insufficient information. Origin request header needed.');
  }
  const requested = (headers['access-control-request-headers'] ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
  const rule = findRule(config, origin, method, requested);
  if (rule === undefined) throw new S3Error('AccessForbidden');
  return emptyResponse(200, {
    ...ruleHeaders(rule, origin),
    ...(requested.length > 0 && { 'access-control-allow-headers': requested.join(', ') }),
    'content-length': '0',
  });
}

/** The CORS headers of an actual response; none without an origin or a matching rule. */
function corsHeaders(config: BucketConfig, method: string, headers: Headers): Headers {
  const { origin } = headers;
  const rule = origin === undefined ? undefined : findRule(config, origin, method, []);
  return rule === undefined || origin === undefined ? {} : ruleHeaders(rule, origin);
}

function findRule(
  config: BucketConfig,
  origin: string,
  method: string,
  requestedHeaders: string[],
): CorsRule | undefined {
  return config.cors?.find(
    (rule) =>
      rule.allowedOrigins.some((pattern) => matchesWildcard(pattern, origin)) &&
      rule.allowedMethods.some((allowed) => allowed === method) &&
      requestedHeaders.every((name) =>
        rule.allowedHeaders?.some((pattern) => matchesWildcard(pattern.toLowerCase(), name)),
      ),
  );
}

function matchesWildcard(pattern: string, text: string): boolean {
  const [head = '', tail] = pattern.split('*');
  if (tail === undefined) return pattern === text;
  return text.length >= head.length + tail.length && text.startsWith(head) && text.endsWith(tail);
}

function ruleHeaders(rule: CorsRule, origin: string): Headers {
  const isAny = rule.allowedOrigins.includes('*');
  return {
    'access-control-allow-origin': isAny ? '*' : origin,
    ...(!isAny && { 'access-control-allow-credentials': 'true' }),
    'access-control-allow-methods': rule.allowedMethods.join(', '),
    ...(rule.maxAgeSeconds !== undefined && {
      'access-control-max-age': String(rule.maxAgeSeconds),
    }),
    vary: VARY,
  };
}

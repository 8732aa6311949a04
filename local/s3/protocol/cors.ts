import type { HttpResponse } from '../../http/http.ts';
import type { BucketConfig, CorsRule } from '../bucket-config.ts';
import { emptyResponse } from './route-context.ts';
import { S3Error } from './s3-error.ts';

type Headers = Record<string, string>;

const VARY = 'Origin, Access-Control-Request-Headers, Access-Control-Request-Method';

/** The answer to an `OPTIONS` preflight, or `AccessForbidden` when no rule allows it. */
export function answerPreflight(config: BucketConfig, headers: Headers): HttpResponse {
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
export function corsHeaders(config: BucketConfig, method: string, headers: Headers): Headers {
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
    ...(rule.exposedHeaders && {
      'access-control-expose-headers': rule.exposedHeaders.join(', '),
    }),
    ...(rule.maxAgeSeconds !== undefined && {
      'access-control-max-age': String(rule.maxAgeSeconds),
    }),
    vary: VARY,
  };
}

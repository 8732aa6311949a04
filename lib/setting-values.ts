import * as z from 'zod';

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const HOST = new RegExp(`^${LABEL}(?:\\.${LABEL})*(?::\\d{1,5})?$`);

/** A host name, with a port only in the local cloud. */
export const Host = z.string().regex(HOST, 'must be a lowercase host name, without scheme or path');
/** CloudFront takes certificates from us-east-1 only. */
export const CertificateArn = z
  .string()
  .regex(
    /^arn:aws:acm:us-east-1:\d{12}:certificate\/[0-9a-f-]+$/,
    'must be the ARN of an ACM certificate in us-east-1',
  );
const ZoneId = z
  .string()
  .regex(
    /^Z[A-Z0-9]{1,31}$/,
    'must be the id of a Route 53 hosted zone, like Z0123456789ABCDEFGHIJ',
  );
/** A page of the operator. */
export const HttpsUrl = z.url({ protocol: /^https$/, error: 'must be an address with https://' });
/** A URL for headers, error texts and pages. The parser of URLs drops line breaks and adds slashes silently. */
export const PlainUrl = z.string().max(2000).refine(isPlainAddress, {
  error: 'must be an address with https://, without user, password, spaces and control characters',
});

function isPlainAddress(text: string): boolean {
  if (!/^https:\/\/[^/]/i.test(text) || /[\s\p{Cc}\p{Cf}\p{Cs}\\]/u.test(text)) return false;
  const url = URL.parse(text);
  return url !== null && url.username === '' && url.password === '' && !hasUserInfo.test(text);
}

/** User info in a URL, also an empty one (`https://@host`), which the parser drops. */
const hasUserInfo = /^https:\/\/[^/?#]*@/i;

/** The values that CloudWatch Logs accepts, up to two years. */
export const RetentionDays = z.literal([
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731,
]);

/** Requests a second for the whole API. */
export const Throttles = z
  .strictObject({
    requestsPerSecond: z.int().positive().default(500),
    burst: z.int().positive().default(1000),
    anonymousWritesPerSecond: z.int().positive().default(200),
    anonymousWritesBurst: z.int().positive().default(400),
  })
  .prefault({});

/** A Route 53 zone that holds a domain. With it the stack makes certificate, addresses and the records of mail. */
export const Zone = z.strictObject({ id: ZoneId, name: Host });

/**
 * An issuer as its tokens name it, without a slash at its end. Only a laptop reads keys from itself, for tests of
 * publishing.
 */
const Issuer = z
  .string()
  .regex(/^(?:https:\/\/[a-z0-9.-]+|http:\/\/127\.0\.0\.1:\d+)(?:\/[\w.-]+)*$/, {
    error: 'must be an address with https://, without a slash at its end',
  });

/** The issuers of tokens of CI jobs. */
export const CiIssuers = z
  .strictObject({
    github: Issuer.default('https://token.actions.githubusercontent.com'),
    gitlab: Issuer.default('https://gitlab.com'),
  })
  .prefault({});

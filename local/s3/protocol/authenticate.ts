import { ALGORITHM, parseAmzDate, parseCredential } from '../../signatures/sigv4.ts';
import {
  type SecretLookup,
  type SignatureClaim,
  SignatureError,
  type SignatureRefusal,
  verifyClaim,
  verifyHeader,
} from '../../signatures/verify-signature.ts';
import { S3Error, type S3ErrorCode } from './s3-error.ts';
import { queryValue, type S3Request } from './s3-request.ts';

const EARLIEST_MS = 15 * 60 * 1000;
const MAX_PRESIGNED_SECONDS = 7 * 24 * 60 * 60;
const UNSIGNED = 'UNSIGNED-PAYLOAD';

/**
 * How long after its signature a function's URL works. It ends with the session that signed it, and
 * nothing says how long that still lasts, so a URL must not promise more.
 */
const SESSION_MS = 60 * 60 * 1000;

/** The data for checking a signature. */
export interface AuthContext {
  now: Date;
  secretFor: SecretLookup;
}

/** The result of authentication. */
export interface Authenticated {
  accessKeyId: string;
  /** Hex, of the body; undefined if the signature does not cover it. */
  sha256: string | undefined;
  /** The request's headers; for a presigned URL also its `x-amz-*` query parameters. */
  headers: Record<string, string>;
}

/** S3's codes for refused signatures, in the header and in the query. */
const CODES: Record<SignatureRefusal, readonly [inHeader: S3ErrorCode, inQuery: S3ErrorCode]> = {
  missing: ['InvalidRequest', 'AuthorizationQueryParametersError'],
  malformed: ['AuthorizationHeaderMalformed', 'AuthorizationQueryParametersError'],
  'unknown-key': ['InvalidAccessKeyId', 'InvalidAccessKeyId'],
  'not-current': ['RequestTimeTooSkewed', 'AccessDenied'],
  'unsigned-header': ['AccessDenied', 'AccessDenied'],
  mismatch: ['SignatureDoesNotMatch', 'SignatureDoesNotMatch'],
};

/** Checks a request's SigV4 signature, in its header or its query, or throws S3's refusal. */
export function authenticate(request: S3Request, context: AuthContext): Authenticated {
  const inQuery = queryValue(request, 'X-Amz-Algorithm') !== undefined;
  const inHeader = request.headers['authorization'] !== undefined;
  if (inQuery && inHeader) throw new S3Error('InvalidArgument', 'Only one auth mechanism allowed');
  if (!inQuery && !inHeader) throw new S3Error('AccessDenied');
  const verification = { ...context, service: 's3' };
  try {
    return inQuery
      ? authenticateQuery(request, verification)
      : authenticateHeader(request, verification);
  } catch (error) {
    throw error instanceof SignatureError ? refusalOf(error, request, inQuery) : error;
  }
}

/** A key that comes with a token belongs to a session: then S3 names the token. */
function refusalOf(
  { reason, message, details }: SignatureError,
  request: S3Request,
  inQuery: boolean,
): S3Error {
  const token = inQuery
    ? queryValue(request, 'X-Amz-Security-Token')
    : request.headers['x-amz-security-token'];
  if (reason === 'unknown-key' && token !== undefined) return new S3Error('InvalidToken');
  return new S3Error(CODES[reason][inQuery ? 1 : 0], message, details);
}

type Verified = AuthContext & { service: string };

function authenticateHeader(request: S3Request, verification: Verified): Authenticated {
  const { headers } = request;
  const payloadHash = headers['x-amz-content-sha256'];
  if (payloadHash === undefined) {
    throw new S3Error(
      'InvalidRequest',
      'Missing required header for this request: x-amz-content-sha256',
    );
  }
  const accessKeyId = verifyHeader(request, payloadHash, verification);
  return { accessKeyId, sha256: signedHash(payloadHash), headers };
}

function authenticateQuery(request: S3Request, verification: Verified): Authenticated {
  const claim = readQueryClaim(request);
  verifyClaim(request, claim, verification);
  const signedAt = parseAmzDate(claim.amzDate);
  if (signedAt === undefined) throw new S3Error('AuthorizationQueryParametersError');
  const ageMs = verification.now.getTime() - signedAt.getTime();
  assertLifetime(queryValue(request, 'X-Amz-Expires') ?? '', ageMs);
  if (claim.sessionToken !== undefined && ageMs > SESSION_MS) throw new S3Error('ExpiredToken');
  return {
    accessKeyId: claim.credential.accessKeyId,
    sha256: signedHash(claim.payloadHash),
    headers: withQueryHeaders(request),
  };
}

function readQueryClaim(request: S3Request): SignatureClaim {
  const credential = parseCredential(queryValue(request, 'X-Amz-Credential') ?? '', 's3');
  const amzDate = queryValue(request, 'X-Amz-Date') ?? '';
  const isWrongAlgorithm = queryValue(request, 'X-Amz-Algorithm') !== ALGORITHM;
  if (isWrongAlgorithm || credential === undefined || !amzDate.startsWith(credential.day)) {
    throw new S3Error('AuthorizationQueryParametersError');
  }
  return {
    credential,
    amzDate,
    signedHeaders: (queryValue(request, 'X-Amz-SignedHeaders') ?? '').split(';'),
    signature: queryValue(request, 'X-Amz-Signature') ?? '',
    payloadHash:
      queryValue(request, 'X-Amz-Content-Sha256') ??
      request.headers['x-amz-content-sha256'] ??
      UNSIGNED,
    sessionToken: queryValue(request, 'X-Amz-Security-Token'),
  };
}

function assertLifetime(expires: string, ageMs: number): void {
  const seconds = Number(expires);
  if (!/^\d{1,9}$/.test(expires) || seconds < 1) {
    throw new S3Error(
      'AuthorizationQueryParametersError',
      'X-Amz-Expires should be a number of seconds',
    );
  }
  if (seconds > MAX_PRESIGNED_SECONDS) {
    throw new S3Error(
      'AuthorizationQueryParametersError',
      'X-Amz-Expires must be less than a week (in seconds); that is, the given X-Amz-Expires must be less than 604800 seconds',
    );
  }
  if (ageMs < -EARLIEST_MS) throw new S3Error('AccessDenied', 'Request is not valid yet');
  if (ageMs > seconds * 1000) throw new S3Error('AccessDenied', 'Request has expired');
}

/** Presigning moves `x-amz-*` headers into the query; S3 treats them as headers. */
function withQueryHeaders(request: S3Request): Record<string, string> {
  const fromQuery = request.query
    .map(([name, value]): [string, string] => [name.toLowerCase(), value])
    .filter(([name]) => name.startsWith('x-amz-') && !SIGNING_PARAMETERS.has(name));
  return { ...request.headers, ...Object.fromEntries(fromQuery) };
}

const SIGNING_PARAMETERS = new Set([
  'x-amz-algorithm',
  'x-amz-content-sha256',
  'x-amz-credential',
  'x-amz-date',
  'x-amz-expires',
  'x-amz-security-token',
  'x-amz-signature',
  'x-amz-signedheaders',
]);

/** Bodies in signed or checked chunks (`STREAMING-…`) are not supported: the SDK sends streams only in these. */
function signedHash(payloadHash: string): string | undefined {
  if (payloadHash === UNSIGNED) return undefined;
  if (/^[0-9a-f]{64}$/.test(payloadHash)) return payloadHash;
  if (payloadHash.startsWith('STREAMING-')) {
    throw new S3Error('NotImplemented', undefined, { Header: 'x-amz-content-sha256' });
  }
  throw new S3Error(
    'InvalidArgument',
    'x-amz-content-sha256 must be UNSIGNED-PAYLOAD, or a valid sha256 value.',
  );
}

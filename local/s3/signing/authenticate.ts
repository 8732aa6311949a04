import { S3Error } from '../protocol/s3-error.ts';
import { queryValue, type S3Request } from '../protocol/s3-request.ts';
import {
  ALGORITHM,
  type Credential,
  canonicalRequest,
  parseAmzDate,
  parseCredential,
  sameSignature,
  signText,
  stringToSign,
} from './sigv4.ts';
import { assertSession, type AuthContext, signingKeyOf } from './signing-key.ts';

const MAX_SKEW_MS = 15 * 60 * 1000;
const MAX_PRESIGNED_SECONDS = 7 * 24 * 60 * 60;
const UNSIGNED = 'UNSIGNED-PAYLOAD';

/** The result of authentication. */
export interface Authenticated {
  accessKeyId: string;
  /** Hex, of the body; undefined if the signature does not cover it. */
  sha256: string | undefined;
  /** The request's headers; for a presigned URL also its `x-amz-*` query parameters. */
  headers: Record<string, string>;
}

interface SignatureClaim {
  credential: Credential;
  amzDate: string;
  signedHeaders: string[];
  signature: string;
  payloadHash: string;
}

/** Checks a request's SigV4 signature, in its header or its query, or throws S3's refusal. */
export function authenticate(request: S3Request, context: AuthContext): Authenticated {
  const inQuery = queryValue(request, 'X-Amz-Algorithm') !== undefined;
  const inHeader = request.headers.authorization !== undefined;
  if (inQuery && inHeader) throw new S3Error('InvalidArgument', 'Only one auth mechanism allowed');
  if (inQuery) return authenticateQuery(request, context);
  if (inHeader) return authenticateHeader(request, context);
  throw new S3Error('AccessDenied');
}

function authenticateHeader(request: S3Request, context: AuthContext): Authenticated {
  const claim = readHeaderClaim(request);
  const key = signingKeyOf(claim.credential, request.headers['x-amz-security-token'], context);
  const signedAt = parseAmzDate(claim.amzDate);
  if (signedAt === undefined) {
    throw new S3Error(
      'AccessDenied',
      'AWS authentication requires a valid Date or x-amz-date header',
    );
  }
  if (Math.abs(signedAt.getTime() - context.now.getTime()) > MAX_SKEW_MS) {
    throw new S3Error('RequestTimeTooSkewed', undefined, {
      RequestTime: claim.amzDate,
      ServerTime: context.now.toISOString(),
    });
  }
  assertSignature(request, claim, key);
  return {
    accessKeyId: claim.credential.accessKeyId,
    sha256: signedHash(claim),
    headers: request.headers,
  };
}

function readHeaderClaim(request: S3Request): SignatureClaim {
  const [scheme = '', ...rest] = (request.headers.authorization ?? '').split(' ');
  if (scheme !== ALGORITHM) {
    throw new S3Error('InvalidRequest', `Please use ${ALGORITHM}.`);
  }
  const fields = new Map(
    rest
      .join('')
      .split(',')
      .map((part) => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)]),
  );
  const credential = parseCredential(fields.get('Credential') ?? '');
  const amzDate = request.headers['x-amz-date'] ?? '';
  if (credential === undefined || (amzDate !== '' && !amzDate.startsWith(credential.day))) {
    throw new S3Error('AuthorizationHeaderMalformed');
  }
  const payloadHash = request.headers['x-amz-content-sha256'];
  if (payloadHash === undefined) {
    throw new S3Error(
      'InvalidRequest',
      'Missing required header for this request: x-amz-content-sha256',
    );
  }
  return {
    credential,
    amzDate,
    signedHeaders: (fields.get('SignedHeaders') ?? '').split(';'),
    signature: fields.get('Signature') ?? '',
    payloadHash,
  };
}

function authenticateQuery(request: S3Request, context: AuthContext): Authenticated {
  const claim = readQueryClaim(request);
  const sessionToken = queryValue(request, 'X-Amz-Security-Token');
  const key = signingKeyOf(claim.credential, sessionToken, context);
  assertSignature(request, claim, key);
  assertLifetime(request, claim, context.now);
  assertSession(sessionToken, parseAmzDate(claim.amzDate), context.now);
  return {
    accessKeyId: claim.credential.accessKeyId,
    sha256: signedHash(claim),
    headers: withQueryHeaders(request),
  };
}

function readQueryClaim(request: S3Request): SignatureClaim {
  const credential = parseCredential(queryValue(request, 'X-Amz-Credential') ?? '');
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
  };
}

function assertLifetime(request: S3Request, claim: SignatureClaim, now: Date): void {
  const expires = queryValue(request, 'X-Amz-Expires') ?? '';
  const signedAt = parseAmzDate(claim.amzDate);
  const seconds = Number(expires);
  if (signedAt === undefined || !/^\d{1,9}$/.test(expires) || seconds < 1) {
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
  const ageMs = now.getTime() - signedAt.getTime();
  if (ageMs < -MAX_SKEW_MS) throw new S3Error('AccessDenied', 'Request is not valid yet');
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

function assertSignature(request: S3Request, claim: SignatureClaim, key: Buffer): void {
  const unsigned = Object.keys(request.headers).filter(
    (name) =>
      (name === 'host' || name.startsWith('x-amz-')) &&
      name !== 'x-amz-content-sha256' &&
      !claim.signedHeaders.includes(name),
  );
  if (unsigned.length > 0) {
    throw new S3Error(
      'AccessDenied',
      'There were headers present in the request which were not signed',
      {
        HeadersNotSigned: unsigned.join(', '),
      },
    );
  }
  const canonical = canonicalRequest(request, claim.signedHeaders, claim.payloadHash);
  const text = stringToSign(claim.amzDate, claim.credential, canonical);
  if (sameSignature(signText(key, text), claim.signature)) return;
  throw new S3Error('SignatureDoesNotMatch', undefined, {
    StringToSign: text,
    CanonicalRequest: canonical.toString('latin1'),
  });
}

/** Bodies in signed or checked chunks (`STREAMING-…`) are not supported: the SDK sends streams only in these. */
function signedHash({ payloadHash }: SignatureClaim): string | undefined {
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

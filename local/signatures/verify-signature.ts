import { REGION } from '../assembly/resource-type.ts';
import {
  ALGORITHM,
  canonicalRequest,
  type Credential,
  parseAmzDate,
  parseCredential,
  sameSignature,
  type SignedRequest,
  signingKey,
  signText,
  stringToSign,
} from './sigv4.ts';

const MAX_SKEW_MS = 15 * 60 * 1000;

/** The secret of an access key; undefined if it is unknown or the token is not the one of its session. */
export type SecretLookup = (
  accessKeyId: string,
  sessionToken: string | undefined,
) => string | undefined;

/** What a signature is checked with. */
export interface Verification {
  /** The service's name in signatures. */
  service: string;
  now: Date;
  secretFor: SecretLookup;
}

/** What a request says about its signature, in a header or in its query. */
export interface SignatureClaim {
  credential: Credential;
  amzDate: string;
  signedHeaders: readonly string[];
  signature: string;
  /** Hex SHA-256 of the body, or what stands for it. */
  payloadHash: string;
  sessionToken: string | undefined;
}

/** Why a signature is refused; each service has its own codes for these. */
export type SignatureRefusal =
  | 'missing'
  | 'malformed'
  | 'unknown-key'
  | 'not-current'
  | 'unsigned-header'
  | 'mismatch';

/** A refused signature. */
export class SignatureError extends Error {
  readonly reason: SignatureRefusal;
  /** What S3 adds to its error document. */
  readonly details: Record<string, string>;

  constructor(reason: SignatureRefusal, message: string, details: Record<string, string> = {}) {
    super(message);
    this.reason = reason;
    this.details = details;
  }
}

/** The access key of a request with a valid signature in its `Authorization` header. */
export function verifyHeader(
  request: SignedRequest,
  payloadHash: string,
  verification: Verification,
): string {
  const claim = { ...claimOf(request.headers, verification.service), payloadHash };
  const key = keyOf(claim, verification);
  assertFresh(claim, verification.now);
  assertSignature(request, claim, key);
  return claim.credential.accessKeyId;
}

/** Checks a claim but not its age: a presigned URL has a lifetime of its own. */
export function verifyClaim(
  request: SignedRequest,
  claim: SignatureClaim,
  verification: Verification,
): void {
  assertSignature(request, claim, keyOf(claim, verification));
}

/** `AWS4-HMAC-SHA256 Credential=…, SignedHeaders=…, Signature=…` */
function claimOf(
  headers: SignedRequest['headers'],
  service: string,
): Omit<SignatureClaim, 'payloadHash'> {
  const [scheme, ...rest] = (headers['authorization'] ?? '').split(' ');
  if (scheme !== ALGORITHM) {
    throw new SignatureError('missing', `Request is missing a signature of ${ALGORITHM}.`);
  }
  const parts = rest.join('').split(',');
  const fields = new Map(
    parts.map((part) => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)]),
  );
  const credential = parseCredential(fields.get('Credential') ?? '', service);
  const amzDate = headers['x-amz-date'] ?? '';
  if (credential === undefined || !amzDate.startsWith(credential.day)) {
    throw new SignatureError('malformed', `Credential should be scoped to ${service} and its day.`);
  }
  return {
    credential,
    amzDate,
    signedHeaders: (fields.get('SignedHeaders') ?? '').split(';'),
    signature: fields.get('Signature') ?? '',
    sessionToken: headers['x-amz-security-token'],
  };
}

function keyOf({ credential, sessionToken }: SignatureClaim, { secretFor }: Verification): Buffer {
  const secret = secretFor(credential.accessKeyId, sessionToken);
  if (secret === undefined) {
    throw new SignatureError(
      'unknown-key',
      'The security token included in the request is invalid.',
    );
  }
  if (credential.region === REGION) return signingKey(secret, credential);
  throw new SignatureError(
    'malformed',
    `Credential should be scoped to ${REGION}, not to ${credential.region}.`,
  );
}

function assertFresh({ amzDate }: SignatureClaim, now: Date): void {
  const signedAt = parseAmzDate(amzDate);
  if (signedAt !== undefined && Math.abs(signedAt.getTime() - now.getTime()) <= MAX_SKEW_MS) return;
  throw new SignatureError(
    'not-current',
    `Signature not current: ${amzDate} is more than 15 minutes from ${now.toISOString()}`,
    { RequestTime: amzDate, ServerTime: now.toISOString() },
  );
}

function assertSignature(request: SignedRequest, claim: SignatureClaim, key: Buffer): void {
  const { amzDate, credential, payloadHash, signature, signedHeaders } = claim;
  const unsigned = Object.keys(request.headers).filter(
    (name) => mustBeSigned(name) && !signedHeaders.includes(name),
  );
  if (unsigned.length > 0) {
    throw new SignatureError(
      'unsigned-header',
      'There were headers present in the request which were not signed',
      { HeadersNotSigned: unsigned.join(', ') },
    );
  }
  const canonical = canonicalRequest(request, signedHeaders, payloadHash);
  const text = stringToSign(amzDate, credential, canonical);
  if (sameSignature(signText(key, text), signature)) return;
  throw new SignatureError(
    'mismatch',
    'The request signature we calculated does not match the signature you provided. Check your key and signing method.',
    { StringToSign: text, CanonicalRequest: canonical.toString('latin1') },
  );
}

/**
 * Whether a header must be signed. The hash of the body need not be: the signature covers it
 * anyway.
 */
export function mustBeSigned(header: string): boolean {
  return header === 'host' || (header.startsWith('x-amz-') && header !== 'x-amz-content-sha256');
}

import { REGION } from '../assembly/resource-type.ts';
import {
  ALGORITHM,
  canonicalRequest,
  parseAmzDate,
  parseCredential,
  sameSignature,
  sha256Hex,
  signingKey,
  signText,
  stringToSign,
} from '../s3/signing/sigv4.ts';
import type { ServiceRequest } from './service-server.ts';

const MAX_SKEW_MS = 15 * 60 * 1000;

/** The data for checking a signature. */
export interface AuthContext {
  now: Date;
  secretFor(accessKeyId: string, sessionToken: string | undefined): string | undefined;
}

/** Why a service refuses a call before it reads it; each service has its own names for these. */
export type SignatureRefusal = 'missing' | 'mismatch' | 'unknown-key';

/** A refused call. */
export class SignatureError extends Error {
  readonly reason: SignatureRefusal;

  constructor(reason: SignatureRefusal, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** `Credential=…, SignedHeaders=…, Signature=…` */
function fieldsOf(authorization: string): Map<string, string> {
  const parts = authorization
    .slice(ALGORITHM.length)
    .split(',')
    .map((part) => part.trim());
  return new Map(
    parts.map((part) => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)]),
  );
}

function assertFresh(amzDate: string, now: Date): void {
  const signedAt = parseAmzDate(amzDate);
  if (signedAt !== undefined && Math.abs(signedAt.getTime() - now.getTime()) <= MAX_SKEW_MS) return;
  throw new SignatureError(
    'mismatch',
    `Signature not current: ${amzDate} is more than 15 minutes from ${now.toISOString()}`,
  );
}

function assertAllSigned(headers: ServiceRequest['headers'], signedHeaders: string[]): void {
  const unsigned = Object.keys(headers).find(
    (name) => (name === 'host' || name.startsWith('x-amz-')) && !signedHeaders.includes(name),
  );
  if (unsigned === undefined) return;
  throw new SignatureError('mismatch', `'${unsigned}' must be a 'SignedHeader'.`);
}

/** The access key of a call with a valid SigV4 header for this service; throws a SignatureError otherwise. */
export function signerOf(request: ServiceRequest, service: string, context: AuthContext): string {
  const { headers, body, method, url } = request;
  const authorization = headers['authorization'] ?? '';
  if (!authorization.startsWith(`${ALGORITHM} `)) {
    throw new SignatureError('missing', 'Request is missing Authentication Token');
  }
  const fields = fieldsOf(authorization);
  const credential = parseCredential(fields.get('Credential') ?? '', service);
  const amzDate = headers['x-amz-date'] ?? '';
  if (credential?.region !== REGION || !amzDate.startsWith(credential.day)) {
    throw new SignatureError('mismatch', `Credential should be scoped to ${service} in ${REGION}.`);
  }
  const secret = context.secretFor(credential.accessKeyId, headers['x-amz-security-token']);
  if (secret === undefined) {
    throw new SignatureError(
      'unknown-key',
      'The security token included in the request is invalid.',
    );
  }
  assertFresh(amzDate, context.now);
  const signedHeaders = (fields.get('SignedHeaders') ?? '').split(';');
  assertAllSigned(headers, signedHeaders);
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  const signed = { method, path: pathname, query: [...searchParams], headers: { ...headers } };
  const canonical = canonicalRequest(signed, signedHeaders, sha256Hex(body));
  const text = stringToSign(amzDate, credential, canonical);
  const expected = signText(signingKey(secret, credential), text);
  if (sameSignature(expected, fields.get('Signature') ?? '')) return credential.accessKeyId;
  throw new SignatureError(
    'mismatch',
    'The request signature we calculated does not match the signature you provided.',
  );
}

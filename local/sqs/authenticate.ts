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
import type { ServiceRequest } from '../http/service-server.ts';
import { SqsError } from './sqs-error.ts';

const MAX_SKEW_MS = 15 * 60 * 1000;

/** The data for checking a signature. */
export interface AuthContext {
  now: Date;
  secretFor(accessKeyId: string, sessionToken: string | undefined): string | undefined;
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
  throw new SqsError(
    'SignatureDoesNotMatch',
    `Signature not current: ${amzDate} is more than 15 minutes from ${now.toISOString()}`,
  );
}

function assertAllSigned(headers: ServiceRequest['headers'], signedHeaders: string[]): void {
  const unsigned = Object.keys(headers).find(
    (name) => (name === 'host' || name.startsWith('x-amz-')) && !signedHeaders.includes(name),
  );
  if (unsigned === undefined) return;
  throw new SqsError('SignatureDoesNotMatch', `'${unsigned}' must be a 'SignedHeader'.`);
}

/** The access key of a validly signed request (SigV4 header); throws SQS's error otherwise. */
export function authenticate(request: ServiceRequest, context: AuthContext): string {
  const { headers, body, method, url } = request;
  const authorization = headers['authorization'] ?? '';
  if (!authorization.startsWith(`${ALGORITHM} `)) {
    throw new SqsError('MissingAuthenticationToken', 'Request is missing Authentication Token');
  }
  const fields = fieldsOf(authorization);
  const credential = parseCredential(fields.get('Credential') ?? '', 'sqs');
  const amzDate = headers['x-amz-date'] ?? '';
  if (credential?.region !== REGION || !amzDate.startsWith(credential.day)) {
    throw new SqsError('SignatureDoesNotMatch', `Credential should be scoped to sqs in ${REGION}.`);
  }
  const secret = context.secretFor(credential.accessKeyId, headers['x-amz-security-token']);
  if (secret === undefined) {
    throw new SqsError(
      'InvalidClientTokenId',
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
  throw new SqsError(
    'SignatureDoesNotMatch',
    'The request signature we calculated does not match the signature you provided.',
  );
}

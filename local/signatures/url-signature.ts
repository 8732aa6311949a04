import { randomBytes } from 'node:crypto';
import { ACCOUNT, REGION } from '../assembly/resource-type.ts';
import { queryPairs } from '../edge/request-parts.ts';
import type { HttpRequest } from '../http/http.ts';
import {
  ALGORITHM,
  canonicalText,
  scopeOf,
  sha256Hex,
  signingKey,
  signText,
  stringToSign,
} from './sigv4.ts';
import { mustBeSigned, SignatureError, verifyHeader } from './verify-signature.ts';

/** CloudFront's temporary credentials, with which origin access control signs. */
export type EdgeCredentials = ReturnType<typeof edgeCredentials>;

/** New credentials for one start of the local cloud. */
export function edgeCredentials() {
  return {
    accessKeyId: 'ASIACLOUDFRONTLOCAL',
    secret: randomBytes(30).toString('base64url'),
    sessionToken: randomBytes(60).toString('base64'),
  };
}

const SERVICE = 'lambda';

/**
 * The request as CloudFront sends it to a function URL with origin access control.
 *
 * CloudFront signs the path and the query byte for byte, and takes the hash of the body from the viewer's
 * header `x-amz-content-sha256` ("Restrict access to an AWS Lambda function URL origin").
 */
export function signAsEdge(
  request: HttpRequest,
  credentials: EdgeCredentials,
  { sourceArn, now }: { sourceArn: string; now: Date },
): HttpRequest {
  const amzDate = now.toISOString().replace(/[:-]|\.\d{3}/g, '');
  const { 'x-amz-content-sha256': payloadHash = sha256Hex('') } = request.headers;
  const headers: Record<string, string> = {
    ...request.headers,
    'x-amz-content-sha256': payloadHash,
    'x-amz-date': amzDate,
    'x-amz-security-token': credentials.sessionToken,
    'x-amz-source-account': ACCOUNT,
    'x-amz-source-arn': sourceArn,
  };
  const { accessKeyId, secret } = credentials;
  const credential = { accessKeyId, day: amzDate.slice(0, 8), region: REGION, service: SERVICE };
  const signedHeaders = Object.keys(headers).filter(mustBeSigned).toSorted();
  const query = queryPairs(request.query).map(({ raw }) => raw);
  const canonical = canonicalText({ ...request, query, headers }, signedHeaders, payloadHash);
  const signature = signText(
    signingKey(secret, credential),
    stringToSign(amzDate, credential, canonical),
  );
  headers['authorization'] =
    `${ALGORITHM} Credential=${accessKeyId}/${scopeOf(credential)}, SignedHeaders=${signedHeaders.join(';')}, Signature=${signature}`;
  return { ...request, headers };
}

/**
 * Whether a function URL accepts the signature. It follows the rule for all services but S3: redundant
 * parts of the path are removed, and the path as sent is encoded once more. So only paths of letters,
 * digits and `-._~/` have the same signature on both sides (aws-samples/image-optimization, issue 44).
 */
export function isSignedByEdge(
  { method, path, query, headers, body }: HttpRequest,
  credentials: EdgeCredentials,
  now: Date,
): boolean {
  const payloadHash = sha256Hex(body);
  if (headers['x-amz-content-sha256'] !== payloadHash) return false;
  const pairs = queryPairs(query).map(
    ({ name, value }) => [decoded(name), decoded(value)] as const,
  );
  const request = { method, path: normalizedPath(path), query: pairs, headers };
  const secretFor = (accessKeyId: string, sessionToken: string | undefined) =>
    accessKeyId === credentials.accessKeyId && sessionToken === credentials.sessionToken
      ? credentials.secret
      : undefined;
  try {
    verifyHeader(request, payloadHash, { service: SERVICE, now, secretFor });
    return true;
  } catch (error) {
    if (error instanceof SignatureError) return false;
    throw error;
  }
}

/** Without `.`, `..` and empty segments (RFC 3986, section 5.2.4). */
function normalizedPath(path: string): string {
  const kept: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..') kept.pop();
    else if (segment !== '' && segment !== '.') kept.push(segment);
  }
  return `/${kept.join('/')}${/[^/]\/$/.test(path) ? '/' : ''}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

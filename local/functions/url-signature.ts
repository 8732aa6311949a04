import { randomBytes } from 'node:crypto';
import { ACCOUNT, REGION } from '../assembly/resource-type.ts';
import { queryPairs } from '../edge/request-parts.ts';
import type { HttpRequest } from '../http/http.ts';
import {
  ALGORITHM,
  type Credential,
  sameSignature,
  scopeOf,
  sha256Hex,
  signingKey,
  signText,
  stringToSign,
} from '../s3/signing/sigv4.ts';
import { encodePath, encodeStrict } from '../s3/signing/uri.ts';

/** CloudFront's temporary credentials, with which origin access control signs. */
export interface EdgeCredentials {
  accessKeyId: string;
  secret: string;
  sessionToken: string;
}

/** New credentials for one start of the local cloud. */
export function edgeCredentials(): EdgeCredentials {
  return {
    accessKeyId: 'ASIACLOUDFRONTLOCAL',
    secret: randomBytes(30).toString('base64url'),
    sessionToken: randomBytes(60).toString('base64'),
  };
}

const SIGNED_HEADERS = [
  'host',
  'x-amz-content-sha256',
  'x-amz-date',
  'x-amz-security-token',
  'x-amz-source-account',
  'x-amz-source-arn',
];

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
  const headers: Record<string, string> = {
    'x-amz-content-sha256': sha256Hex(''),
    ...request.headers,
    'x-amz-date': amzDate,
    'x-amz-security-token': credentials.sessionToken,
    'x-amz-source-account': ACCOUNT,
    'x-amz-source-arn': sourceArn,
  };
  const credential = credentialOf(credentials, amzDate);
  const query = queryPairs(request.query).map(({ raw }) => raw);
  const signature = signatureOf(credentials, { ...request, headers }, [request.path, ...query]);
  headers['authorization'] =
    `${ALGORITHM} Credential=${credentials.accessKeyId}/${scopeOf(credential)}, SignedHeaders=${SIGNED_HEADERS.join(';')}, Signature=${signature}`;
  return { ...request, headers };
}

/**
 * Whether a function URL accepts the signature. It follows the rule for all services but S3: redundant
 * parts of the path are removed, and the path as sent is encoded once more. So only paths of letters,
 * digits and `-._~/` have the same signature on both sides (aws-samples/image-optimization, issue 44).
 */
export function isSignedByEdge(request: HttpRequest, credentials: EdgeCredentials): boolean {
  const { headers } = request;
  const query = queryPairs(request.query).map(
    ({ name, value }) => `${encodeStrict(decoded(name))}=${encodeStrict(decoded(value))}`,
  );
  const path = encodePath(normalizedPath(request.path));
  const isBodySigned = headers['x-amz-content-sha256'] === sha256Hex(request.body);
  const expected = signatureOf(credentials, request, [path, ...query]);
  const given = /Signature=([0-9a-f]{64})$/.exec(headers['authorization'] ?? '')?.[1] ?? '';
  return (
    isBodySigned &&
    headers['x-amz-security-token'] === credentials.sessionToken &&
    sameSignature(expected, given)
  );
}

function signatureOf(
  { secret, ...credentials }: EdgeCredentials,
  { method, headers }: HttpRequest,
  [path = '/', ...query]: readonly string[],
): string {
  const amzDate = headers['x-amz-date'] ?? '';
  const credential = credentialOf({ secret, ...credentials }, amzDate);
  const lines = [
    method,
    path,
    query.toSorted().join('&'),
    ...SIGNED_HEADERS.map((name) => `${name}:${headers[name] ?? ''}`),
    '',
    SIGNED_HEADERS.join(';'),
    headers['x-amz-content-sha256'],
  ];
  const text = stringToSign(amzDate, credential, Buffer.from(lines.join('\n')));
  return signText(signingKey(secret, credential), text);
}

function credentialOf({ accessKeyId }: EdgeCredentials, amzDate: string): Credential {
  return { accessKeyId, day: amzDate.slice(0, 8), region: REGION, service: 'lambda' };
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

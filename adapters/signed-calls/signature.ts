import { createHmac, hash } from 'node:crypto';

/** Credentials for signing. Those of a role include a session token. */
export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string | undefined;
}

/** A request to sign: header names in lowercase, the path percent-encoded as it is sent, no query. */
export interface SignableRequest {
  service: string;
  region: string;
  method: string;
  host: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array;
}

const algorithm = 'AWS4-HMAC-SHA256';

/**
 * The headers of a request with its signature (AWS Signature Version 4), all of them signed.
 *
 * We do not use a library, because the libraries that sign for `fetch` make Node load its fetch on
 * the first visit. That takes longer than loading the rest of the gate.
 */
export function signedHeaders(
  request: SignableRequest,
  credentials: Credentials,
  now: Date,
): Record<string, string> {
  const at = now.toISOString().replace(/[:-]|\.\d{3}/g, '');
  const bodyHash = sha256(request.body);
  const headers: Record<string, string> = {
    ...request.headers,
    host: request.host,
    'x-amz-date': at,
    // Required by S3 only (Amazon S3 API, "x-amz-content-sha256").
    ...(request.service === 's3' && { 'x-amz-content-sha256': bodyHash }),
    ...(credentials.sessionToken !== undefined && {
      'x-amz-security-token': credentials.sessionToken,
    }),
  };
  const names = Object.keys(headers).toSorted();
  const canonical = [
    request.method,
    request.path,
    '',
    ...names.map((name) => `${name}:${(headers[name] ?? '').trim().replace(/\s+/g, ' ')}`),
    '',
    names.join(';'),
    bodyHash,
  ].join('\n');
  const scope = [at.slice(0, 8), request.region, request.service, 'aws4_request'];
  const text = [algorithm, at, scope.join('/'), sha256(canonical)].join('\n');
  const key = signingKey(scope, credentials.secretAccessKey);
  const authorization = [
    `${algorithm} Credential=${credentials.accessKeyId}/${scope.join('/')}`,
    `SignedHeaders=${names.join(';')}`,
    `Signature=${hmac(key, text).toString('hex')}`,
  ].join(', ');
  return { ...headers, authorization };
}

const signingKeys = new Map<string, string | Buffer>();

/**
 * More than a function needs at a time: one for each service, and new ones for each day and each
 * new credential of its role.
 */
const maxSigningKeys = 16;

/** The key of one day, region and service. Deriving it takes four of the five HMACs of a signature. */
function signingKey(scope: readonly string[], secret: string): string | Buffer {
  const name = `${secret}/${scope.join('/')}`;
  const known = signingKeys.get(name);
  if (known !== undefined) return known;
  const key = scope.reduce<string | Buffer>(hmac, `AWS4${secret}`);
  if (signingKeys.size >= maxSigningKeys) signingKeys.clear();
  signingKeys.set(name, key);
  return key;
}

function sha256(content: string | Uint8Array): string {
  return hash('sha256', content, 'hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

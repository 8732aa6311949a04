import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** The only signing algorithm; SigV4A (`AWS4-ECDSA-P256-SHA256`) is not accepted. */
export const ALGORITHM = 'AWS4-HMAC-SHA256';

/** The `Credential` of a SigV4 signature: the access key, and the day, region and service of the signature. */
export interface Credential {
  accessKeyId: string;
  /** `YYYYMMDD`. */
  day: string;
  region: string;
  service: string;
}

/** Parses `AKID/20250101/us-east-1/s3/aws4_request`; `undefined` for anything else, and for another service. */
export function parseCredential(text: string, service: string): Credential | undefined {
  const match = /^(.+)\/(\d{8})\/([a-z0-9-]+)\/([a-z0-9-]+)\/aws4_request$/.exec(text);
  if (match === null || match[4] !== service) return undefined;
  const [, accessKeyId = '', day = '', region = ''] = match;
  return { accessKeyId, day, region, service };
}

/** `20250101/us-east-1/s3/aws4_request`. */
export function scopeOf(credential: Credential): string {
  return `${credential.day}/${credential.region}/${credential.service}/aws4_request`;
}

/** Parses `20250101T120000Z`; `undefined` for anything else. */
export function parseAmzDate(text: string): Date | undefined {
  if (!/^\d{8}T\d{6}Z$/.test(text)) return undefined;
  const iso = text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z');
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

const derivedKeys = new Map<string, Buffer>();

/** More than the functions and services of one cloud need; a day has other keys. */
const MAX_DERIVED_KEYS = 200;

/**
 * The derived key of one secret for one day, region and service. It is kept, because every call needs it again.
 */
export function signingKey(secret: string, credential: Credential): Buffer {
  const scope = scopeOf(credential);
  const name = `${secret}/${scope}`;
  const known = derivedKeys.get(name);
  if (known !== undefined) return known;
  const key = scope
    .split('/')
    .reduce(
      (last, part) => createHmac('sha256', last).update(part).digest(),
      Buffer.from(`AWS4${secret}`),
    );
  if (derivedKeys.size >= MAX_DERIVED_KEYS) derivedKeys.clear();
  derivedKeys.set(name, key);
  return key;
}

/** Hex HMAC-SHA256 of a string to sign. */
export function signText(key: Buffer, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex');
}

/** Hex SHA-256. */
export function sha256Hex(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

/** Compares two signatures in constant time. */
export function sameSignature(expected: string, given: string): boolean {
  const a = Buffer.from(expected);
  const b = Buffer.from(given);
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The string to sign for a canonical request. */
export function stringToSign(amzDate: string, credential: Credential, canonical: Buffer): string {
  return [ALGORITHM, amzDate, scopeOf(credential), sha256Hex(canonical)].join('\n');
}

/** The part of a request that a signature covers, besides its body. */
export interface SignedRequest {
  method: string;
  /** It is encoded once before it is signed: S3 decodes the path that was sent, other services do not. */
  path: string;
  query: readonly (readonly [name: string, value: string])[];
  headers: Readonly<Record<string, string>>;
}

/**
 * The canonical request.
 *
 * Header bytes are hashed as received, so a client that signs non-ASCII metadata as UTF-8 but sends
 * Latin-1 (the JavaScript SDK does) is refused, as in S3.
 */
export function canonicalRequest(
  { path, query, ...request }: SignedRequest,
  signedHeaders: readonly string[],
  payloadHash: string,
): Buffer {
  const encoded = query
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encodeStrict(name)}=${encodeStrict(value)}`);
  const own = { ...request, path: encodePath(path), query: encoded };
  return canonicalText(own, signedHeaders, payloadHash);
}

/** The canonical request of a path and a query that are encoded already. */
export function canonicalText(
  request: Omit<SignedRequest, 'query'> & { query: readonly string[] },
  signedHeaders: readonly string[],
  payloadHash: string,
): Buffer {
  const headers = signedHeaders.map(
    (name) => `${name}:${(request.headers[name] ?? '').replace(/ +/g, ' ')}\n`,
  );
  const lines = [
    request.method,
    request.path,
    request.query.toSorted().join('&'),
    headers.join(''),
    signedHeaders.join(';'),
    payloadHash,
  ];
  return Buffer.from(lines.join('\n'), 'latin1');
}

/** Percent-encoding for SigV4: all but `A-Z a-z 0-9 - . _ ~`, upper-case hex. */
function encodeStrict(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Percent-encoding for paths: keeps `/`. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeStrict).join('/');
}

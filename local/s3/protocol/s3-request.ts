import type { IncomingMessage } from 'node:http';
import { S3Error } from './s3-error.ts';

const MAX_KEY_BYTES = 1024;

/** One decoded request for the local S3. */
export interface S3Request {
  method: string;
  /** Decoded, with its leading `/`; dot segments are kept, because keys are plain strings. */
  path: string;
  bucket: string;
  /** Empty if the request is about the bucket. */
  key: string;
  query: readonly (readonly [name: string, value: string])[];
  /** Lowercase names; several of one name joined with `,`. Bytes outside ASCII stay as Latin-1. */
  headers: Record<string, string>;
  body: AsyncIterable<Buffer>;
}

/** Parses request line and headers; throws `InvalidURI` or `KeyTooLongError`. */
export function parseS3Request(incoming: IncomingMessage): S3Request {
  const [rawPath = '/', ...rest] = (incoming.url ?? '/').split('?');
  const path = decodeUri(rawPath);
  const { bucket, key } = splitPath(withoutPrefix(path));
  return {
    method: incoming.method ?? 'GET',
    path,
    bucket,
    key,
    query: parseQuery(rest.join('?')),
    headers: joinHeaders(incoming.rawHeaders),
    body: bodyPieces(incoming),
  };
}

/** A broken connection is an `IncompleteBody`, not an internal error. */
async function* bodyPieces(incoming: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    // Leaving the loop early must not destroy the socket: the refusal still has to go out.
    for await (const piece of incoming.iterator({ destroyOnReturn: false })) yield piece;
  } catch {
    throw new S3Error('IncompleteBody');
  }
}

/** The path of S3 below the app's own host, so that clients need one port only. */
export const S3_PREFIX = '/_local/s3';

/** A signature covers the prefix too; bucket and key begin after it. */
function withoutPrefix(path: string): string {
  return path.startsWith(`${S3_PREFIX}/`) ? path.slice(S3_PREFIX.length) : path;
}

function splitPath(path: string): { bucket: string; key: string } {
  if (!path.startsWith('/')) throw new S3Error('InvalidURI');
  const slash = path.indexOf('/', 1);
  if (slash === -1) return { bucket: path.slice(1), key: '' };
  const key = path.slice(slash + 1);
  assertKey(key);
  return { bucket: path.slice(1, slash), key };
}

/** Refuses keys over 1024 bytes of UTF-8 with `KeyTooLongError`. */
export function assertKey(key: string): void {
  const bytes = Buffer.byteLength(key);
  if (bytes > MAX_KEY_BYTES) {
    throw new S3Error('KeyTooLongError', undefined, {
      Size: String(bytes),
      MaxSizeAllowed: String(MAX_KEY_BYTES),
    });
  }
}

function parseQuery(query: string): [string, string][] {
  return query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name = '', ...value] = pair.replaceAll('+', ' ').split('=');
      return [decodeUri(name), decodeUri(value.join('='))];
    });
}

function joinHeaders(raw: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = Object.create(null);
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = (raw[i] ?? '').toLowerCase();
    const value = (raw[i + 1] ?? '').trim();
    const before = headers[name];
    headers[name] = before === undefined ? value : `${before},${value}`;
  }
  return headers;
}

/** The first value of a query parameter, or `undefined`. */
export function queryValue(request: S3Request, name: string): string | undefined {
  return request.query.find(([n]) => n === name)?.[1];
}

/** Percent-decodes text; `InvalidURI` for invalid UTF-8. */
export function decodeUri(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    throw new S3Error('InvalidURI');
  }
}

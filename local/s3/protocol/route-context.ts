import type { HttpResponse } from '../../http/http.ts';
import type { Authenticated } from './authenticate.ts';
import type { Bucket } from '../bucket.ts';
import { S3Error } from './s3-error.ts';
import { queryValue, type S3Request } from './s3-request.ts';
import { renderXml, type XmlNode } from './xml.ts';

/** One S3 call for IAM, such as `s3:GetObject` on a key. */
export interface S3Call {
  accessKeyId: string;
  action: string;
  bucket: string;
  key?: string;
  /** The prefix of a listing, for `s3:prefix` in policies. */
  prefix?: string;
}

/** The context of one operation. */
export interface RouteContext {
  request: S3Request;
  auth: Authenticated;
  bucket: Bucket;
  now: () => Date;
  /** `AccessDenied` unless the caller may do this; `on` defaults to the request's bucket and key. */
  requirePermission(action: string, on?: { bucket: string; key?: string; prefix?: string }): void;
  /** Checks a permission without throwing and without reporting a call. */
  isPermitted(action: string): boolean;
}

/** One operation. */
export type RouteHandler = (context: RouteContext) => Promise<HttpResponse>;

/** An answer without a body. */
export function emptyResponse(status: number, headers: Record<string, string> = {}): HttpResponse {
  return { status, headers, body: Buffer.alloc(0) };
}

/** An XML answer. */
export function xmlResponse(
  root: XmlNode,
  headers: Record<string, string> = {},
  status = 200,
): HttpResponse {
  const body = renderXml(root);
  return {
    status,
    headers: {
      'content-type': 'application/xml',
      'content-length': String(body.length),
      ...headers,
    },
    body,
  };
}

/** The `max-keys` of a request, at most and by default 1000; `InvalidArgument` for what is no integer. */
export function maxKeysOf(request: S3Request): number {
  const value = queryValue(request, 'max-keys');
  if (value === undefined) return 1000;
  if (!/^\d{1,10}$/.test(value)) {
    throw new S3Error(
      'InvalidArgument',
      'Provided max-keys not an integer or within integer range',
    );
  }
  return Math.min(Number(value), 1000);
}

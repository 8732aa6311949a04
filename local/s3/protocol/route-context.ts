import type { HttpResponse } from '../../http/http.ts';
import type { Authenticated } from '../signing/authenticate.ts';
import type { Bucket } from '../bucket.ts';
import { S3Error } from './s3-error.ts';
import { queryValue, type S3Request } from './s3-request.ts';
import { renderXml, type XmlNode } from './xml.ts';

/** One use of S3 as IAM sees it, such as `s3:GetObject` on a key. */
export interface S3Call {
  accessKeyId: string;
  action: string;
  bucket: string;
  key?: string;
  /** What a listing asks for, for `s3:prefix` in policies; undefined when it names no prefix. */
  prefix?: string;
}

/** What an operation works with. */
export interface RouteContext {
  request: S3Request;
  auth: Authenticated;
  bucket: Bucket;
  now: () => Date;
  /** `NoSuchBucket` unless it exists. */
  bucketNamed(name: string): Bucket;
  /** `AccessDenied` unless the caller may; `on` is the request's bucket and key when left out. */
  permit(action: string, on?: { bucket: string; key?: string; prefix?: string }): void;
  /** The same question without a refusal, and without being reported as a call. */
  may(action: string): boolean;
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

/** A whole number among the query parameters, capped at S3's maximum of 1000; `InvalidArgument` otherwise. */
export function countParameter(request: S3Request, name: string, fallback: number): number {
  const value = queryValue(request, name);
  if (value === undefined) return fallback;
  if (!/^\d{1,10}$/.test(value)) {
    throw new S3Error('InvalidArgument', `Provided ${name} not an integer or within integer range`);
  }
  return Math.min(Number(value), 1000);
}

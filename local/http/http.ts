import type { Readable } from 'node:stream';

/** One HTTP request as the parts of the local cloud hand it on. Header names are lowercase. */
export interface HttpRequest {
  method: string;
  /** As sent, still percent-encoded, without the query: `/a%20b`. */
  path: string;
  /** As sent, without the leading `?`; empty when there is none. */
  query: string;
  headers: Record<string, string>;
  body: Buffer;
  /** The socket's peer, never anything that a client sent. */
  viewer: { address: string; port: number };
}

/** One HTTP answer; a header that stands several times (`set-cookie`) is a list. */
export interface HttpResponse {
  status: number;
  headers: Record<string, string | string[]>;
  body: Buffer | Readable;
}

/** A resource of the synthesized templates with every intrinsic function resolved to its local value. */
export interface Resource {
  logicalId: string;
  stack: string;
  type: string;
  properties: Record<string, unknown>;
}

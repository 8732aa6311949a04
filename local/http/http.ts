import type { Readable } from 'node:stream';

/** One HTTP request. Header names are lowercase. */
export interface HttpRequest {
  method: string;
  /** As sent, still percent-encoded, without the query: `/a%20b`. */
  path: string;
  /** As sent, without the leading `?`; empty when there is none. */
  query: string;
  headers: Record<string, string>;
  body: Buffer;
  /** The address of the socket, never a value from a header. */
  viewer: { address: string; port: number };
}

/** One HTTP response; a repeated header (`set-cookie`) is a list. */
export interface HttpResponse {
  status: number;
  headers: Record<string, string | string[]>;
  body: Buffer | Readable;
}

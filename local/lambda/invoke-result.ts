import type { Readable } from 'node:stream';

/** The result of a synchronous invocation. The stack of a failure goes to the log only. */
export type InvokeResult = { ok: true; payload: unknown; requestId: string } | InvokeFailure;

/** The result of a streamed invocation, available with its first byte; the stream is destroyed when the function fails. */
export type StreamResult = { ok: true; contentType: string; body: Readable } | InvokeFailure;

interface InvokeFailure {
  ok: false;
  errorType: string;
  errorMessage: string;
}

/** Limit for the JSON of a synchronous request and its response: Lambda's 6 MB quota is 6 MiB and 100 bytes. */
export const maxPayloadBytes = 6_291_556;

/** Limit for a streamed response: Lambda's quota is 200 MB. */
export const maxStreamedBytes = 200_000_000;

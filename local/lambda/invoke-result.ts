import type { Readable } from 'node:stream';

/** What one synchronous invocation gives back; a failure carries no stack, which goes to the log only. */
export type InvokeResult = { ok: true; payload: unknown; requestId: string } | InvokeFailure;

/** What a streamed invocation gives back once its first byte is there; the stream breaks off when the function fails. */
export type StreamResult = { ok: true; contentType: string; body: Readable } | InvokeFailure;

interface InvokeFailure {
  ok: false;
  errorType: string;
  errorMessage: string;
}

/** Largest JSON of a synchronous request and of its answer: Lambda's 6 MB quota is 6 MiB and 100 bytes. */
export const maxPayloadBytes = 6_291_556;

/** Longest streamed answer: Lambda's quota is 200 MB. */
export const maxStreamedBytes = 200_000_000;

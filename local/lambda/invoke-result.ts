/** What one synchronous invocation gives back; a failure carries no stack, which goes to the log only. */
export type InvokeResult =
  | { ok: true; payload: unknown; requestId: string }
  | { ok: false; errorType: string; errorMessage: string };

/** Largest JSON of a synchronous request and of its answer: Lambda's 6 MB quota is 6 MiB and 100 bytes. */
export const maxPayloadBytes = 6_291_556;

import * as z from 'zod';

/** One kind of refusal: its HTTP status, what the caller should do next, and fields beside the envelope. */
interface CatalogueEntry {
  status: number;
  nextStep: string;
  extra?: z.ZodObject;
}

const wait = z.object({ retryAfterSeconds: z.number().int().positive() });
const details = z.object({
  details: z.array(z.object({ path: z.string(), message: z.string() })),
});

/** Every error the service can answer with; `code` is the key. See docs/contract.md, "Success and errors". */
export const errorCatalogue = {
  API_KEY_MISSING: {
    status: 401,
    nextStep:
      'Send your saved key as `Authorization: Bearer <API_KEY>`. Sign in with POST /v1/auth/otp/request only when you have none.',
  },
  API_KEY_INVALID: {
    status: 401,
    nextStep: 'Discard this key and sign in once with POST /v1/auth/otp/request.',
  },
  API_KEY_EXPIRED: {
    status: 401,
    nextStep: 'Discard this key and sign in once with POST /v1/auth/otp/request.',
  },
  SESSION_MISSING: {
    status: 401,
    nextStep:
      "Sign in with POST /v1/auth/otp/request and then POST /v1/session, in a browser on the service's own pages.",
  },
  ACCOUNT_SUSPENDED: {
    status: 403,
    nextStep:
      'Write to whoever runs this service. Another key or signing in again changes nothing; nothing of the account is deleted meanwhile.',
  },
  ORIGIN_REFUSED: {
    status: 403,
    nextStep: "Send the request from the service's own pages; programs use an API key.",
  },
  OTP_INVALID: {
    status: 401,
    nextStep: 'Check the latest e-mail and send its six digits again; do not request a new code.',
    extra: z.object({ attemptsLeft: z.number().int().nonnegative() }),
  },
  OTP_EXPIRED: {
    status: 401,
    nextStep: 'Request a new code once with POST /v1/auth/otp/request.',
  },
  OTP_TOO_MANY_ATTEMPTS: {
    status: 429,
    nextStep: 'Request a new code with POST /v1/auth/otp/request.',
    extra: wait,
  },
  ZIP_MULTIPLE_HTML: {
    status: 400,
    nextStep: 'Send the same upload again with `zipIndexHtmlPath` set to one of `htmlPaths`.',
    extra: z.object({ htmlPaths: z.array(z.string()) }),
  },
  INVALID_REQUEST: {
    status: 400,
    nextStep: 'Correct what `details` names and send the request again.',
    extra: details,
  },
  VALIDATION_FAILED: {
    status: 422,
    nextStep: 'Correct what `details` names and send the request again.',
    extra: details,
  },
  FREE_TIER_RESTRICTED: {
    status: 403,
    nextStep: 'Change to a paid plan (starter or higher); do not sign in again.',
    extra: z.object({ requiredTier: z.literal('starter') }),
  },
  ARCHIVE_INVALID: {
    status: 400,
    nextStep: 'Make the ZIP again from the plain files, then upload it again. Nothing was kept.',
  },
  FILE_TYPE_REFUSED: {
    status: 400,
    nextStep: 'Rename or remove the file that `error` names, then upload again. Nothing was kept.',
  },
  TOO_MANY_FILES: {
    status: 400,
    nextStep:
      'Send fewer files, or one ZIP. Larger sites: sign in and use POST /v1/uploads. Nothing was kept.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    nextStep:
      'Send less, or use POST /v1/uploads, which takes large files straight to storage. Nothing was kept.',
  },
  KEY_LIMIT_REACHED: {
    status: 403,
    nextStep: 'Delete a key that you no longer need with DELETE /v1/keys/{keyId}.',
  },
  WORKSPACE_LIMIT_REACHED: {
    status: 403,
    nextStep:
      'Delete a workspace that you no longer need with DELETE /v1/workspaces/{workspaceId}; its projects stay.',
  },
  PROJECT_LIMIT_REACHED: {
    status: 403,
    nextStep:
      'See GET /v1/user; archive or delete projects you no longer need, or change to a larger plan.',
  },
  STORAGE_LIMIT_REACHED: {
    status: 403,
    nextStep:
      'See GET /v1/user; archive or delete projects you no longer need, or change to a larger plan.',
  },
  CLAIM_NOT_FOUND: {
    status: 404,
    nextStep:
      'Publish the files again with POST /v1/projects/temp and claim the new token in time.',
  },
  UPLOAD_LINK_NOT_FOUND: {
    status: 404,
    nextStep: 'Ask whoever gave you this link for a new one; POST /v1/upload-links makes it.',
  },
  ALREADY_CLAIMED: {
    status: 409,
    nextStep: 'Nothing is left to do; GET /v1/projects lists it if it was you.',
  },
  VERSION_CONFLICT: {
    status: 409,
    nextStep:
      'See GET /v1/projects/{projectId}/status for the live version, then send the change made from that one.',
  },
  UPLOAD_INCOMPLETE: {
    status: 409,
    nextStep: 'Upload what `error` names, then send the same request again.',
  },
  SLUG_TAKEN: { status: 409, nextStep: 'Choose another `slug`, or leave it out to get one.' },
  IDEMPOTENCY_CONFLICT: {
    status: 409,
    nextStep:
      'Use a new `Idempotency-Key` for a new request, and this one only with the request it was first sent with.',
    extra: z.object({ retryAfterSeconds: z.number().int().positive().optional() }),
  },
  FORBIDDEN: { status: 403, nextStep: 'Call the service at its public address.' },
  NOT_FOUND: {
    status: 404,
    nextStep: 'Check the method and the path or id; GET /v1 says where the documentation is.',
  },
  NOT_PUBLIC: {
    status: 401,
    nextStep: 'Open the address in a browser instead; only its owner can make it public.',
  },
  // oembed.com says 501; but what a caller gets wrong is none of the service's failures.
  FORMAT_NOT_OFFERED: { status: 400, nextStep: 'Ask for `format=json`.' },
  METHOD_NOT_ALLOWED: {
    status: 405,
    nextStep: 'Use a method that the documentation lists for this path.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    nextStep: 'Send the body in the content type that the documentation names for this operation.',
  },
  RATE_LIMITED: {
    status: 429,
    nextStep: 'Wait `retryAfterSeconds`, then send the same request again.',
    extra: wait,
  },
  UPLOAD_FAILED: {
    status: 500,
    nextStep:
      'Send the same upload again. What was stored of this one is not visible and is removed by itself. If it goes on, report `requestId`.',
    extra: z.object({ requestId: z.string() }),
  },
  INTERNAL: {
    status: 500,
    nextStep:
      'Try again in a minute. If it goes on, report `requestId` to whoever runs this service.',
    extra: z.object({ requestId: z.string() }),
  },
  UNAVAILABLE: { status: 503, nextStep: 'Try again in a minute.' },
  TIMEOUT: { status: 504, nextStep: 'Try again in a minute.' },
} as const satisfies Record<string, CatalogueEntry>;

/** A stable machine-readable code. */
export type ErrorCode = keyof typeof errorCatalogue;

/** Every code, in the order of the catalogue. */
export const errorCodes = Object.keys(errorCatalogue).filter(isErrorCode);

function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(errorCatalogue, text);
}

type Entry<C extends ErrorCode> = (typeof errorCatalogue)[C];

/** The fields a code carries beside the envelope; none for most. */
export type ErrorExtra<C extends ErrorCode> =
  Entry<C> extends { extra: infer E extends z.ZodObject } ? z.infer<E> : unknown;

/** Every error body, on every channel. */
export const ErrorBody = z.looseObject({
  status: z.literal('error'),
  error: z.string(),
  code: z.string(),
  nextStep: z.string(),
});
export type ErrorBody = z.infer<typeof ErrorBody>;

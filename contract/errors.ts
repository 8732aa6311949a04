import * as z from 'zod';
import { PlanFacts } from './plans.ts';

/** One error code: its HTTP status, what the caller should do next, and fields beside the envelope. */
interface CatalogueEntry {
  status: number;
  nextStep: string;
  extra?: z.ZodObject;
}

/** What kind of key a file seems to contain. */
const SecretKind = z.enum([
  'anthropic-key',
  'aws-access-key',
  'aws-secret-key',
  'github-token',
  'google-client-secret',
  'npm-token',
  'openai-key',
  'key-of-this-service',
  'private-key',
  'slack-token',
  'slack-webhook',
  'stripe-key',
]);
export type SecretKind = z.infer<typeof SecretKind>;

/** The place of a probable key in a file of an upload. It never contains the key itself. */
export const SecretFinding = z.object({
  path: z.string(),
  line: z.number().int().positive(),
  kind: SecretKind,
});
export type SecretFinding = z.infer<typeof SecretFinding>;

const wait = z.object({ retryAfterSeconds: z.number().int().positive() });
const details = z.object({
  details: z.array(z.object({ path: z.string(), message: z.string() })),
});

const uselessKey = {
  status: 401,
  nextStep: 'Discard this key, then sign in once with POST /v1/auth/otp/request.',
} as const;

/** Every error the service can return; `code` is the key. See docs/contract.md, "Success and errors". */
export const errorCatalogue = {
  API_KEY_MISSING: {
    status: 401,
    nextStep:
      'Send your saved key as `Authorization: Bearer <API_KEY>`. Sign in with POST /v1/auth/otp/request only if you have no key.',
  },
  API_KEY_INVALID: uselessKey,
  API_KEY_EXPIRED: uselessKey,
  SESSION_MISSING: {
    status: 401,
    nextStep:
      'In a browser, on a page of this service, sign in with POST /v1/auth/otp/request and then POST /v1/session.',
  },
  ACCOUNT_SUSPENDED: {
    status: 403,
    nextStep:
      'Contact the operator of this service. A new key or a new sign-in does not lift the suspension. The data of the account is kept.',
  },
  ACCOUNT_CLOSED: {
    status: 409,
    nextStep: 'Ask the owner. To restore it, send the same code again without `restore`.',
    extra: z.object({ restorableUntil: z.iso.datetime() }),
  },
  ORIGIN_REFUSED: {
    status: 403,
    nextStep: 'Send the request from a page of this service. Programs use an API key instead.',
  },
  OTP_INVALID: {
    status: 401,
    nextStep: 'Check the latest e-mail and send its six digits again. Do not request a new code.',
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
  SECRETS_FOUND: {
    status: 409,
    nextStep:
      'Remove these keys from the files and upload again; replace each one that was ever shared. If everybody may read them, send the same upload with `allowSecrets: true`. Nothing was kept.',
    extra: z.object({
      findings: z.array(SecretFinding).describe('The first of them'),
      count: z.number().int().positive().describe('How many there are'),
    }),
  },
  ZIP_MULTIPLE_HTML: {
    status: 400,
    nextStep: 'Send it with `zipIndexHtmlPath` set to one of `htmlPaths`, or `asFileBundle: true`.',
    extra: z.object({ htmlPaths: z.array(z.string()) }),
  },
  INVALID_REQUEST: {
    status: 400,
    nextStep: 'Correct the fields listed in `details`, then send the request again.',
    extra: details,
  },
  VALIDATION_FAILED: {
    status: 422,
    nextStep: 'Correct the fields listed in `details`, then send the request again.',
    extra: details,
  },
  FREE_TIER_RESTRICTED: {
    status: 403,
    nextStep: 'Upgrade to a paid plan (starter or higher). Do not sign in again.',
    extra: z.object({ requiredTier: z.literal('starter'), ...PlanFacts.partial().shape }),
  },
  ARCHIVE_INVALID: {
    status: 400,
    nextStep: 'Create the ZIP again from the original files, then upload it. Nothing was kept.',
    extra: z.object({ isEncrypted: z.literal(true) }).partial(),
  },
  FILE_TYPE_REFUSED: {
    status: 400,
    nextStep: 'Rename or remove the file that `error` names, then upload again. Nothing was kept.',
  },
  TOO_MANY_FILES: {
    status: 400,
    nextStep:
      'Send fewer files, or one ZIP. For a larger site, sign in and use POST /v1/uploads. Nothing was kept.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    nextStep:
      'Send less data, or send large files directly to storage: with a key start with POST /v1/uploads, with an upload link with POST /v1/upload-links/{link}/uploads. Nothing was kept.',
  },
  DOMAIN_LIMIT_REACHED: {
    status: 403,
    nextStep:
      'Remove a domain that you no longer need with DELETE /v1/domains/{domainId}, or upgrade to a larger plan.',
  },
  DOMAIN_TAKEN: { status: 409, nextStep: 'Use another domain, or a domain of your own.' },
  DOMAIN_NOT_READY: {
    status: 409,
    nextStep:
      'Set the records that GET /v1/domains/{domainId} lists, then call POST /v1/domains/{domainId}/check. Assign the project when the status is `active` or `ssl_active`.',
  },
  LINK_LIMIT_REACHED: { status: 403, nextStep: 'Delete a share link that you no longer need.' },
  WEBHOOK_LIMIT_REACHED: { status: 403, nextStep: 'Delete a webhook that you no longer need.' },
  KEY_LIMIT_REACHED: {
    status: 403,
    nextStep: 'Delete a key that you no longer need with DELETE /v1/keys/{keyId}.',
  },
  WORKSPACE_LIMIT_REACHED: {
    status: 403,
    nextStep:
      'Delete a workspace that you no longer need with DELETE /v1/workspaces/{workspaceId}. Its projects are kept.',
  },
  PROJECT_LIMIT_REACHED: {
    status: 403,
    nextStep:
      'Check your usage with GET /v1/user. Archive or delete projects that you no longer need, or upgrade to a larger plan.',
  },
  STORAGE_LIMIT_REACHED: {
    status: 403,
    nextStep:
      'Check your usage with GET /v1/user. Archive or delete projects that you no longer need, or upgrade to a larger plan.',
  },
  CLAIM_NOT_FOUND: {
    status: 404,
    nextStep:
      'Publish the files again with POST /v1/projects/temp, then use the new claim token before it expires.',
  },
  UPLOAD_LINK_NOT_FOUND: {
    status: 404,
    nextStep:
      'Ask the person who gave you this link for a new one. They create it with POST /v1/upload-links.',
  },
  ALREADY_CLAIMED: {
    status: 409,
    nextStep: 'No action is needed. If you claimed the project, GET /v1/projects lists it.',
  },
  VERSION_CONFLICT: {
    status: 409,
    nextStep:
      'Get the live version from GET /v1/projects/{projectId}/status. If your change is still right for it, apply it to that version, then send it with its number as `expectedVersion`.',
  },
  UPLOAD_INCOMPLETE: {
    status: 409,
    nextStep: 'Upload the missing files, then send the same request again.',
  },
  SLUG_TAKEN: {
    status: 409,
    nextStep: 'Choose another `slug`, or omit it to get a generated one.',
  },
  EMAIL_TAKEN: {
    status: 409,
    nextStep: 'Sign in with that address, or begin again with another one.',
  },
  IDEMPOTENCY_CONFLICT: {
    status: 409,
    nextStep:
      'Use a new `Idempotency-Key` for each new request. Reuse a key only to repeat the request it was first sent with.',
    extra: wait.partial(),
  },
  FORBIDDEN: { status: 403, nextStep: 'Send the request to the public address of this service.' },
  NOT_FOUND: {
    status: 404,
    nextStep:
      'Check the method, the path and the ids in it. GET /v1 returns the address of the documentation.',
  },
  NOT_PUBLIC: {
    status: 401,
    nextStep: 'Open the address in a browser instead. Only the owner can make the project public.',
  },
  // oembed.com says 501, but a wrong parameter is an error of the caller.
  FORMAT_NOT_OFFERED: { status: 400, nextStep: 'Send `format=json`.' },
  METHOD_NOT_ALLOWED: { status: 405, nextStep: 'Use a method that the path has in the docs.' },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    nextStep:
      'Send the body with the content type that the documentation gives for this operation.',
  },
  RATE_LIMITED: {
    status: 429,
    nextStep: 'Wait `retryAfterSeconds`, then send the same request again.',
    extra: wait,
  },
  UPLOAD_FAILED: {
    status: 500,
    nextStep:
      'Send the same upload again. The failed upload is not visible and is removed automatically. If the error persists, report `requestId` to the operator of this service.',
    extra: z.object({ requestId: z.string() }),
  },
  INTERNAL: {
    status: 500,
    nextStep:
      'Try again in a minute. If the error persists, report `requestId` to the operator of this service.',
    extra: z.object({ requestId: z.string() }),
  },
  UNAVAILABLE: {
    status: 503,
    nextStep: 'Wait `retryAfterSeconds`, then send the same request again.',
    extra: wait.partial(),
  },
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

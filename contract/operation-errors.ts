import { type ErrorCode, errorCatalogue } from './errors.ts';
import type { Operation } from './operation.ts';

/** Errors that any request can get: those of API Gateway (`UNAVAILABLE` while Lambda throttles), and bugs. */
const errorsOfEveryRequest: readonly ErrorCode[] = [
  'FORBIDDEN',
  'RATE_LIMITED',
  'INTERNAL',
  'TIMEOUT',
  'UNAVAILABLE',
];

const keyErrors = ['API_KEY_MISSING', 'API_KEY_INVALID', 'API_KEY_EXPIRED'] as const;

const errorsByAuth: Record<Operation['auth'], readonly ErrorCode[]> = {
  none: [],
  page: ['ORIGIN_REFUSED'],
  optional: [...keyErrors, 'SESSION_MISSING', 'ACCOUNT_SUSPENDED'],
  key: [...keyErrors, 'SESSION_MISSING', 'ACCOUNT_SUSPENDED'],
  'key-only': [...keyErrors, 'ACCOUNT_SUSPENDED'],
  session: ['SESSION_MISSING', 'ACCOUNT_SUSPENDED'],
};

const errorsByBody: Record<Operation['body'], readonly ErrorCode[]> = {
  none: [],
  json: ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'],
  upload: [
    'PAYLOAD_TOO_LARGE',
    'UNSUPPORTED_MEDIA_TYPE',
    'TOO_MANY_FILES',
    'SECRETS_FOUND',
    'FILE_TYPE_REFUSED',
    'UPLOAD_INCOMPLETE',
    'UPLOAD_FAILED',
  ],
};

/**
 * Every error code that an operation can return, sorted by status: its own codes, and those that
 * follow from its other fields.
 */
export function errorsOf(operation: Operation): ErrorCode[] {
  const { auth, body, errors, paid } = operation;
  const codes = new Set<ErrorCode>([
    ...errorsOfEveryRequest,
    ...errorsByAuth[auth],
    ...(acceptsSession(operation) && isWrite(operation) ? (['ORIGIN_REFUSED'] as const) : []),
    ...(paid ? (['FREE_TIER_RESTRICTED'] as const) : []),
    ...errorsByBody[body],
    ...(isWrite(operation) ? (['IDEMPOTENCY_CONFLICT'] as const) : []),
    ...(hasInput(operation) ? [operation.invalid ?? 'INVALID_REQUEST'] : []),
    ...errors,
  ]);
  return [...codes].toSorted((a, b) => errorCatalogue[a].status - errorCatalogue[b].status);
}

/** Whether a signed-in browser may call the operation without a key. */
function acceptsSession({ auth }: Operation): boolean {
  return auth === 'session' || auth === 'key' || auth === 'optional';
}

/** Whether a request may carry an Idempotency-Key. */
export function isWrite({ method }: Operation): boolean {
  return method !== 'GET';
}

/** Whether a request can be invalid: malformed ids in a path are a 404, but other fields and the Idempotency-Key of a write are checked. */
function hasInput(operation: Operation): boolean {
  const inPath = [...operation.path.matchAll(/\{/g)].length;
  return isWrite(operation) || Object.keys(operation.input.shape).length > inPath;
}

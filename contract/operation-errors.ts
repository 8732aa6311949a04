import { type ErrorCode, errorCatalogue } from './errors.ts';
import type { Operation } from './operation.ts';

/** Refusals that any request can meet: of the gateway in front, and bugs. */
const always: readonly ErrorCode[] = ['FORBIDDEN', 'RATE_LIMITED', 'INTERNAL', 'TIMEOUT'];

const byAuth: Record<Operation['auth'], readonly ErrorCode[]> = {
  none: [],
  optional: ['API_KEY_MISSING', 'API_KEY_INVALID', 'API_KEY_EXPIRED', 'ACCOUNT_SUSPENDED'],
  key: ['API_KEY_MISSING', 'API_KEY_INVALID', 'API_KEY_EXPIRED', 'ACCOUNT_SUSPENDED'],
  session: ['SESSION_MISSING', 'ACCOUNT_SUSPENDED'],
};

const byBody: Record<Operation['body'], readonly ErrorCode[]> = {
  none: [],
  json: ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'],
  upload: ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'TOO_MANY_FILES'],
};

/** Every code that an operation can answer, by status: its own, and those that follow from what it is. */
export function errorsOf(operation: Operation): ErrorCode[] {
  const { auth, body, errors, paid } = operation;
  const codes = new Set<ErrorCode>([
    ...always,
    ...byAuth[auth],
    ...(auth === 'session' && isWrite(operation) ? (['ORIGIN_REFUSED'] as const) : []),
    ...(paid ? (['FREE_TIER_RESTRICTED'] as const) : []),
    ...byBody[body],
    ...(isWrite(operation) ? (['IDEMPOTENCY_CONFLICT'] as const) : []),
    ...(hasInput(operation) ? [operation.invalid ?? 'INVALID_REQUEST'] : []),
    ...errors,
  ]);
  return [...codes].toSorted((a, b) => errorCatalogue[a].status - errorCatalogue[b].status);
}

/** Whether a request may carry an Idempotency-Key. */
export function isWrite({ method }: Operation): boolean {
  return method !== 'GET';
}

/** An id in a path that is none names nothing; whatever else is sent may be wrong, the key of a write too. */
function hasInput(operation: Operation): boolean {
  const inPath = [...operation.path.matchAll(/\{/g)].length;
  return isWrite(operation) || Object.keys(operation.input.shape).length > inPath;
}

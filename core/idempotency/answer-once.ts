import { randomUUID } from 'node:crypto';
import { CodedError } from '../errors.ts';
import type { Answer, AnswerStore, Found } from './answer-store.ts';
import { requestMark } from './request-mark.ts';
import type { RotatingSecret } from '../secrets/rotating-secret.ts';
import { seal, type SealKeys, sealKeys, unseal } from './seal.ts';

/** What answering a repeated request alike needs. */
export interface AnswerOnceDeps {
  answers: AnswerStore;
  /** Keys the rows; see {@link sealKeys}. */
  secret: RotatingSecret;
  now(): Date;
  /** What is left of the function's time. */
  remainingMs(): number;
  /** Told when an answer could not be kept; the caller gets it all the same. */
  onFailure(error: unknown): void;
}

/** One request with an Idempotency-Key. */
export interface OnceRequest {
  operation: string;
  /** Whose key it is: the same key of somebody else is another one. */
  scope: string;
  key: string;
  /** As the operation's schema parsed it. */
  input: unknown;
}

/** DynamoDB takes items up to 400 KB. */
const maxSealedBytes = 390_000;
/** Time that the answer itself needs. */
const reserveMs = 4000;

/**
 * Runs `work` once for a key and gives everybody who sends the same request its answer for 24 hours.
 *
 * Who comes while it runs waits for it. A holder that crashed loses the row after 60 seconds. What
 * a later try may change is not kept: 5xx, 429, 401, a full quota and an upload under way. An answer of more than 390,000 bytes sealed
 * is not kept either, so that a retry of such a request runs again.
 * @throws CodedError IDEMPOTENCY_CONFLICT for another request with the key, or one that runs too long
 */
export async function answerOnce(
  deps: AnswerOnceDeps,
  request: OnceRequest,
  work: () => Promise<Answer>,
): Promise<{ answer: Answer; replayed: boolean }> {
  const [own, ...others] = placesOf(deps.secret, request);
  const holder = randomUUID();
  for (let tries = 0; ; tries += 1) {
    const { place, found } = await beginAlone(deps, own, others, holder);
    if (found.state === 'begun') {
      return { answer: await run(deps, own.keys, holder, work), replayed: false };
    }
    if (found.mark !== place.mark) throw otherRequest();
    if (found.state === 'answered') {
      return { answer: unseal(place.keys, found.sealed), replayed: true };
    }
    const waitMs = Math.min(1000, 50 * 2 ** tries) * (0.5 + Math.random() / 2);
    if (deps.remainingMs() - waitMs < reserveMs) throw stillRunning(found.leaseEndsAt, deps.now());
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

/** A row in which a request may stand, and what tells it from another request there. */
interface Place {
  keys: SealKeys;
  mark: string;
}

/** Under the current value of the secret first, then under the values that others may use at this moment. */
function placesOf(
  { current, accepted }: RotatingSecret,
  request: OnceRequest,
): [Place, ...Place[]] {
  const { operation, input } = request;
  const placeUnder = (value: string): Place => {
    const keys = sealKeys(value, request);
    return { keys, mark: requestMark(keys.marking, { operation, input }) };
  };
  const others = accepted.filter((value) => value !== current);
  return [placeUnder(current), ...others.map(placeUnder)];
}

/**
 * Takes the own row, then looks at the others. Two functions that see different current values take
 * different rows; each looks after it has taken its own, so that at least one sees the other and
 * gives way. If both do, both try again after a random pause.
 */
async function beginAlone(
  deps: AnswerOnceDeps,
  own: Place,
  others: readonly Place[],
  holder: string,
): Promise<{ place: Place; found: Found }> {
  const found = await deps.answers.begin(own.keys.row, { mark: own.mark, holder }, deps.now());
  if (found.state !== 'begun') return { place: own, found };
  for (const place of others) {
    const elsewhere = await deps.answers.look(place.keys.row, deps.now());
    if (elsewhere === undefined) continue;
    await deps.answers.release(own.keys.row, holder);
    return { place, found: elsewhere };
  }
  return { place: own, found };
}

async function run(
  deps: AnswerOnceDeps,
  keys: SealKeys,
  holder: string,
  work: () => Promise<Answer>,
): Promise<Answer> {
  let sealed: Buffer | undefined;
  try {
    const answer = await work();
    if (isFinal(answer)) sealed = seal(keys, answer);
    return answer;
  } finally {
    const { answers } = deps;
    const settled =
      sealed === undefined || sealed.length > maxSealedBytes
        ? answers.release(keys.row, holder)
        : answers.keep(keys.row, holder, sealed);
    await settled.catch((error: unknown) => deps.onFailure(error));
  }
}

/** Whether the same request would be answered alike later. */
function isFinal({ status, body }: Answer): boolean {
  if (status >= 500 || status === 429 || status === 401) return false;
  return status < 400 || !passing.test(body);
}

/** What the caller is told to mend elsewhere before the same request is sent again. */
const passing = /"code":"(?:UPLOAD_INCOMPLETE|PROJECT_LIMIT_REACHED|STORAGE_LIMIT_REACHED)"/;

function otherRequest(): CodedError {
  return new CodedError('IDEMPOTENCY_CONFLICT', {
    error: 'This Idempotency-Key was used for another request.',
  });
}

function stillRunning(leaseEndsAt: string, now: Date): CodedError {
  const seconds = Math.ceil((Date.parse(leaseEndsAt) - now.getTime()) / 1000);
  return new CodedError('IDEMPOTENCY_CONFLICT', {
    error: 'The first request with this Idempotency-Key is still running.',
    nextStep: 'Wait `retryAfterSeconds`, then send the same request with the same key again.',
    retryAfterSeconds: Math.max(1, seconds),
  });
}

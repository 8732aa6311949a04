import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { type BackOffLimits, backOffMs } from '../back-off.ts';
import { CodedError } from '../errors.ts';
import type { StoredResponse, ResponseStore, StoredState } from './response-store.ts';
import { requestFingerprint, seal, sealKeys, type SealKeys, unseal } from './seal.ts';
import type { RotatingSecret } from '../secrets/rotating-secret.ts';

/** Dependencies of {@link runIdempotent}. */
export interface IdempotencyDeps {
  responses: ResponseStore;
  /** The secret from which rows and keys are derived; see {@link sealKeys}. */
  secret: RotatingSecret;
  now(): Date;
  remainingMs(): number;
  /** Called when a response could not be stored; the caller still receives it. */
  onFailure(error: unknown): void;
}

/** One request with an Idempotency-Key. */
export interface IdempotentRequest {
  operation: string;
  /** The caller. The same key of another caller is another request. */
  scope: string;
  key: string;
  /** The input as parsed by the operation's schema. */
  input: unknown;
  /** Whether running it again does no harm. Then only small responses are stored. */
  changesNothing?: boolean;
  /** Responses with a longer body are not stored; without it, only what is sealed has a limit. */
  maxBodyBytes?: number | undefined;
}

/** Items of DynamoDB have at most 400 KB. */
const maxSealedBytes = 390_000;
/** Each kilobyte that is stored is a paid write unit. */
const maxSealedReadBytes = 16_000;
/** Time that sending the response needs. */
const reserveMs = 4000;

/** Waits between reads while another request runs; most take less than a second. */
const betweenReads: BackOffLimits = { firstMs: 75, longestMs: 1500 };

/**
 * Runs `work` once for a key and replays its response to the same request for 24 hours.
 *
 * A second request that arrives while the first one runs waits for it. A holder that crashed loses
 * the row after 60 seconds. Responses that a retry may change are not stored: 5xx, 429, 401, a full
 * quota and an incomplete upload. Neither are responses of more than 390,000 bytes when sealed, or
 * 16,000 bytes of an operation that changes nothing, or with a body of more than `maxBodyBytes`.
 * @throws CodedError IDEMPOTENCY_CONFLICT for another request with the key, or one that runs too long
 */
export async function runIdempotent(
  deps: IdempotencyDeps,
  request: IdempotentRequest,
  work: () => Promise<StoredResponse>,
): Promise<{ response: StoredResponse; replayed: boolean }> {
  const [own, ...others] = slotsOf(deps.secret, request);
  const holder = randomUUID();
  for (let tries = 1; ; tries += 1) {
    const { slot, found } = await beginExclusively(deps, own, others, holder);
    if (found.state === 'begun') {
      const max = request.changesNothing === true ? maxSealedReadBytes : maxSealedBytes;
      const { maxBodyBytes = Infinity } = request;
      const response = await run(deps, own.keys, { holder, max, maxBodyBytes }, work);
      return { response, replayed: false };
    }
    if (found.mark !== slot.mark) throw keyReused();
    if (found.state === 'answered') {
      return { response: unseal(slot.keys, found.sealed), replayed: true };
    }
    const waitMs = backOffMs(tries, betweenReads);
    if (deps.remainingMs() - waitMs < reserveMs) throw stillRunning(found.leaseEndsAt, deps.now());
    await setTimeout(waitMs);
  }
}

/** A row that may hold the request, and the request's fingerprint under the same secret. */
interface Slot {
  keys: SealKeys;
  mark: string;
}

/**
 * The slots of a request: first under the current value of the secret, then under values that other
 * functions may use now.
 */
function slotsOf(
  { current, accepted }: RotatingSecret,
  request: IdempotentRequest,
): [Slot, ...Slot[]] {
  const { operation, input } = request;
  const slotUnder = (value: string): Slot => {
    const keys = sealKeys(value, request);
    return { keys, mark: requestFingerprint(keys.marking, { operation, input }) };
  };
  const others = accepted.filter((value) => value !== current);
  return [slotUnder(current), ...others.map(slotUnder)];
}

/**
 * Reserves the function's own row, then reads the others. Two functions with different current
 * values of the secret reserve different rows. Each reads the other row after it reserved its own, so
 * that at least one sees the other and releases its row. If both do, both retry after a random pause.
 */
async function beginExclusively(
  deps: IdempotencyDeps,
  own: Slot,
  others: readonly Slot[],
  holder: string,
): Promise<{ slot: Slot; found: StoredState }> {
  const found = await deps.responses.begin(own.keys.row, { mark: own.mark, holder }, deps.now());
  if (found.state !== 'begun') return { slot: own, found };
  for (const slot of others) {
    const elsewhere = await deps.responses.peek(slot.keys.row, deps.now());
    if (elsewhere === undefined) continue;
    await deps.responses.release(own.keys.row, holder);
    return { slot, found: elsewhere };
  }
  return { slot: own, found };
}

async function run(
  deps: IdempotencyDeps,
  keys: SealKeys,
  { holder, max, maxBodyBytes }: { holder: string; max: number; maxBodyBytes: number },
  work: () => Promise<StoredResponse>,
): Promise<StoredResponse> {
  let sealed: Buffer | undefined;
  try {
    const response = await work();
    const isShort = Buffer.byteLength(response.body) <= maxBodyBytes;
    if (isShort && isFinal(response)) sealed = seal(keys, response);
    return response;
  } finally {
    const { responses } = deps;
    const settled =
      sealed === undefined || sealed.length > max
        ? responses.release(keys.row, holder)
        : responses.keep(keys.row, holder, sealed);
    await settled.catch((error: unknown) => deps.onFailure(error));
  }
}

/** Whether a retry would get the same response. */
function isFinal({ status, body }: StoredResponse): boolean {
  if (status >= 500 || status === 429 || status === 401) return false;
  return status < 400 || !retryableCodes.test(body);
}

/** Errors that the caller corrects elsewhere before sending the same request again. */
const retryableCodes = /"code":"(?:UPLOAD_INCOMPLETE|PROJECT_LIMIT_REACHED|STORAGE_LIMIT_REACHED)"/;

function keyReused(): CodedError {
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

import { daySeconds } from '../../contract/limits.ts';
import { effectiveTier } from '../accounts/account.ts';
import type { AccountCaller } from '../caller.ts';
import { CodedError } from '../errors.ts';
import { secondsLeft } from '../instants.ts';
import type { ContentStore } from '../ports.ts';
import { addressPlaces } from './address-limits.ts';
import type { RequestLimitDeps } from './counters.ts';
import { linkPart, networkParts } from './link-limits.ts';

/**
 * In a day an account may write, and download by its own links, this many times the storage of its
 * plan; small plans have a minimum.
 */
const storageTimes = 5;
const minBytesOfDay = 1_000_000_000;
/**
 * The part of the day for callers who have only an upload link: a refused upload leaves the link usable. All senders of a
 * file request together have more.
 */
const linkShare = 10;
const requestShare = 2;

/**
 * This many bytes of a request are not counted: storing them for a week costs as much as the write
 * itself, and counting them would add a quarter to that.
 */
export const uncountedBytes = 1_000_000;

/** Bytes that a request writes into storage, which keeps deleted ones for `backupDays`. */
export interface WrittenBytes {
  /**
   * Counts bytes before they are written.
   * @throws CodedError RATE_LIMITED
   */
  count(bytes: number): Promise<void>;
  /**
   * Counts the bytes of later calls in advance; false, and nothing is counted, if they exceed the
   * day's limit.
   */
  prepay(bytes: number): Promise<boolean>;
  /** Subtracts bytes that were counted but not written. */
  refund(bytes: number): Promise<void>;
}

/** The bytes of a day for an account whose plan has this storage; -1 means no limit. */
export function bytesOfDay(maxStorageBytes: number): number {
  return maxStorageBytes === -1 ? -1 : Math.max(storageTimes * maxStorageBytes, minBytesOfDay);
}

/** The counter of one request of an account; `staged` counts uploads that wait to be published. */
export function writtenBytes(
  deps: RequestLimitDeps,
  caller: AccountCaller,
  kind: 'stored' | 'staged',
): WrittenBytes {
  const at = deps.now();
  const { maxStorageBytes, maxUploadBytes } = deps.plans[effectiveTier(caller.account, at)];
  const limit = bytesOfDay(maxStorageBytes);
  const places = placesOf(caller, kind, { limit, maxUploadBytes });
  const add = (bytes: number, to = places) =>
    Promise.all(to.map(({ key }) => deps.counters.count(key, daySeconds, at, bytes)));
  let prepaid = 0;
  let pending = 0;
  const take = async (bytes: number) => {
    if (maxStorageBytes === -1) return true;
    for (const [index, one] of places.entries()) {
      const [total = 0] = await add(bytes, [one]);
      if (total <= one.most) continue;
      await add(-bytes, places.slice(0, index + 1));
      return false;
    }
    return true;
  };
  return {
    async count(bytes) {
      const paid = Math.min(prepaid, bytes);
      prepaid -= paid;
      pending += bytes - paid;
      if (pending <= uncountedBytes) return;
      const batch = pending;
      pending = 0;
      if (!(await take(batch))) throw dayIsFull(kind, at);
    },
    async prepay(bytes) {
      const isPaid = bytes <= uncountedBytes || (await take(bytes));
      if (isPaid) prepaid += bytes;
      return isPaid;
    },
    async refund(bytes) {
      if (maxStorageBytes !== -1 && bytes > uncountedBytes) await add(-bytes);
    },
  };
}

/**
 * Where a caller's bytes are counted. The first full counter refuses, so a link that has used up
 * its part does not use up its account's.
 */
function placesOf(
  caller: AccountCaller,
  kind: 'stored' | 'staged',
  { limit, maxUploadBytes }: { limit: number; maxUploadBytes: number },
): { key: string; most: number }[] {
  const { account, address, linkHash, linkUploads } = caller;
  const whole = { key: `${kind}-bytes#${account.id}`, most: limit };
  if (linkHash === undefined) return [whole];
  const name = `${kind}-bytes-of-link#${linkHash}`;
  const ofOne = Math.max(limit / linkShare, 2 * maxUploadBytes);
  const ofLink = { key: name, most: linkPart(ofOne, caller, limit / requestShare) };
  if (linkUploads === undefined) return [ofLink, whole];
  const rule = (most: number) => [{ limit: most, windowSeconds: daySeconds }];
  const places = addressPlaces(name, address, rule(ofOne), rule(ofOne * networkParts));
  const ofSender = places.flatMap(({ key, rules }) =>
    rules.map(({ limit: most }) => ({ key, most })),
  );
  return [...ofSender, ofLink, whole];
}

function dayIsFull(kind: 'stored' | 'staged', at: Date): CodedError {
  const did = kind === 'stored' ? 'stored' : 'announced';
  return new CodedError('RATE_LIMITED', {
    error: `This account has ${did} as many bytes today as it may: ${storageTimes} times the storage of its plan. Nothing was kept.`,
    nextStep: 'Try again after `retryAfterSeconds`: the next day begins at 00:00 UTC.',
    retryAfterSeconds: secondsLeft(daySeconds, at),
  });
}

/** A content store that counts the bytes of objects before it writes them. */
export function countedContent(
  content: Pick<ContentStore, 'put'>,
  written: WrittenBytes | undefined,
): Pick<ContentStore, 'put'> {
  return {
    async put(object) {
      await written?.count(object.bytes.length);
      await content.put(object);
    },
  };
}

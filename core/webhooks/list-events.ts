import { daySeconds } from '../../contract/limits.ts';
import { ProjectId } from '../../contract/fields.ts';
import type { AccountCaller } from '../caller.ts';
import { CodedError, invalidField } from '../errors.ts';
import { instant, plusSeconds } from '../instants.ts';
import { beginAtOnce } from '../limits/address-limits.ts';
import { countAttempt, type Counters } from '../limits/counters.ts';
import { requireShareLink } from '../share-links/manage-share-links.ts';
import type { ShareLinkStore } from '../share-links/share-link.ts';
import { readCursor, writeCursor } from './event-cursor.ts';
import {
  type EventSources,
  type EventQuery,
  type FoundEvents,
  type InPlace,
  looker,
} from './find-events.ts';

/** The dependencies of {@link listEvents}. */
export interface ListEventsDeps extends EventSources {
  shareLinks: Pick<ShareLinkStore, 'find'>;
  counters: Counters;
  /** How long all requests of an account may wait in a day, by the function that waits. */
  waits: { of: 'events' | 'mcp'; secondsPerDay: number };
  sleep(milliseconds: number): Promise<unknown>;
}

/** Seconds between looks: hits are collected for 20 seconds, so that looking more often finds nothing sooner. */
const waits = [2, 3, 5];

/** A request that waits, or reads opens of many projects, holds a function: of an account two at once, and of an address five, whatever their accounts. */
const waitingAtOnce = { limit: 2, windowSeconds: 30 };
const waitingOfAddress = { name: 'waiting-for-events', limit: 5, maxSeconds: 30 };

/**
 * The events since a cursor; if there are none, the first that happen while the caller waits.
 * @throws CodedError NOT_FOUND, INVALID_REQUEST, RATE_LIMITED; API_KEY_INVALID and others of a credential that ended
 * meanwhile
 */
export async function listEvents(
  deps: ListEventsDeps,
  caller: AccountCaller,
  input: EventQuery & { after?: string | undefined; wait: number },
) {
  const startedAt = deps.now();
  const cursor = readCursor(input.after, startedAt);
  let hasPlace = false;
  const inPlace: InPlace = (work) => (hasPlace ? work() : inFreePlace(deps, caller, work));
  const look = looker(deps, caller, input, { cursor, inPlace });
  const until = plusSeconds(startedAt, input.wait);
  const first = await look();
  if (input.linkId !== undefined) await requireLink(deps, input.linkId, input.projectId);
  const { events, had, heldBackAt } =
    first.events.length > 0 || input.wait === 0
      ? first
      : await inPlace(() => {
          hasPlace = true;
          return lookUntil(deps, caller, { look, until });
        });
  return {
    events: events.map(({ at, ...event }) => ({ ...event, timestamp: instant(at) })),
    nextCursor: writeCursor(cursor, had, { now: deps.now(), heldBackAt }),
  };
}

/** @throws CodedError NOT_FOUND, INVALID_REQUEST */
async function requireLink(deps: ListEventsDeps, linkId: string, projectId: string | undefined) {
  const { data: id } = ProjectId.safeParse(projectId);
  if (id !== undefined) return requireShareLink(deps, id, linkId);
  throw invalidField('linkId', 'needs the `projectId` of its project');
}

/** Runs what waits or reads much, in one of the places that the account and the address have for it. */
async function inFreePlace<T>(
  deps: ListEventsDeps,
  { account, address }: AccountCaller,
  work: () => Promise<T>,
): Promise<T> {
  const key = `waiting#${account.id}`;
  const at = deps.now();
  const place = await deps.counters.reserve(key, [waitingAtOnce], at);
  if (!place.reserved) {
    throw new CodedError('RATE_LIMITED', {
      error: `At most ${waitingAtOnce.limit} requests of one account wait, or read events of many projects, at once.`,
      retryAfterSeconds: place.retryAfterSeconds,
    });
  }
  let end: (() => Promise<void>) | undefined;
  try {
    end = await beginAtOnce(deps.counters, address, waitingOfAddress, at);
    if (end !== undefined) return await work();
    throw new CodedError('RATE_LIMITED', {
      error: `At most ${waitingOfAddress.limit} requests from one IP address wait for events at once.`,
      retryAfterSeconds: waitingOfAddress.maxSeconds,
    });
  } finally {
    await end?.();
    await deps.counters.release(key, at);
  }
}

async function lookUntil(
  deps: ListEventsDeps,
  caller: AccountCaller,
  { look, until }: { look: () => Promise<FoundEvents>; until: Date },
): Promise<FoundEvents> {
  for (let looks = 0; ; looks += 1) {
    const left = Math.ceil((until.getTime() - deps.now().getTime()) / 1000);
    const seconds = Math.max(1, Math.min(waits[looks] ?? 5, left));
    await countWaiting(deps, caller, seconds);
    await deps.sleep(seconds * 1000);
    const found = await look();
    if (found.events.length > 0) await caller.authenticateAgain?.();
    if (found.events.length > 0 || deps.now() >= until) return found;
  }
}

async function countWaiting(deps: ListEventsDeps, caller: AccountCaller, seconds: number) {
  const { of: name, secondsPerDay: limit } = deps.waits;
  const rule = { limit, windowSeconds: daySeconds };
  const key = `waited#${name}#${caller.account.id}`;
  const counted = { key, rule, what: 'seconds of waiting for events', events: seconds };
  await countAttempt(deps.counters, caller, counted, deps.now());
}

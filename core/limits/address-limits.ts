import type { Caller } from '../caller.ts';
import { callerKey, networkKey } from './caller-key.ts';
import { type CountedEvent, countAttempt, type Counters } from './counters.ts';
import type { LimitedPlace } from './reserve-places.ts';
import type { RateLimitRule } from './sliding-window.ts';

/**
 * The limit of a network, as a multiple of the limit of one caller. An IPv4 /24 has 254 addresses,
 * perhaps of as many customers. An IPv6 /48 has 65,536 /64s, but mostly one customer (RFC 6177 §2).
 */
const networkTimes = { ipv4: 20, ipv6: 5 };

/**
 * The two limits that an event of an address counts toward: the caller's, with these rules, and the
 * network's, with a multiple of them or with rules of its own. All limits by address use this, so that nobody with a /48 can
 * evade one by changing their /64.
 */
export function addressPlaces(
  name: string,
  address: string,
  rules: readonly RateLimitRule[],
  ofNetwork?: readonly RateLimitRule[],
): LimitedPlace<'caller' | 'network'>[] {
  const network = networkKey(address);
  const times = network.includes(':') ? networkTimes.ipv6 : networkTimes.ipv4;
  const shared = ofNetwork ?? rules.map((rule) => ({ ...rule, limit: rule.limit * times }));
  return [
    { name: 'caller', key: `${name}#${callerKey(address)}`, rules },
    { name: 'network', key: `${name}#${network}`, rules: shared },
  ];
}

/** Attempts of one kind, counted by address; `what` as in `At most 30 <what> from one IP address in a minute`. */
export interface AddressAttempt extends Pick<CountedEvent, 'rule' | 'events' | 'isUntold'> {
  name: string;
  /** The limit of the network; a multiple of the rule by default. */
  ofNetwork?: RateLimitRule;
  what: string;
}

/**
 * Refuses more attempts of one address, or of its network, than the rule allows in a clock-aligned window.
 * @throws CodedError RATE_LIMITED
 */
export async function countByAddress(
  counters: Pick<Counters, 'count'>,
  caller: Caller,
  { name, rule, ofNetwork, what, ...counts }: AddressAttempt,
  now: Date,
): Promise<void> {
  const origins = { caller: 'one IP address', network: 'one network' };
  const shared = ofNetwork && [ofNetwork];
  const counted = addressPlaces(name, caller.address, [rule], shared).flatMap((place) =>
    place.rules.map((each) => ({
      key: place.key,
      ...counts,
      rule: each,
      what: `${what} from ${origins[place.name]}`,
    })),
  );
  // Both are counted at the same time, so the second costs no latency.
  await Promise.all(counted.map((each) => countAttempt(counters, caller, each, now)));
}

/** Whether two addresses belong to one network: an IPv4 /24 or an IPv6 /48. */
export function areInOneNetwork(address: string, other: string): boolean {
  return networkKey(address) === networkKey(other);
}

/**
 * How many requests of one caller may run at once; each has ended `maxSeconds` after its start in
 * any case.
 */
export interface AtOnce {
  name: string;
  limit: number;
  maxSeconds: number;
}

/**
 * Records the start of work that keeps a function busy, and returns a function to call at its end;
 * `undefined` if the caller or its network has as much work running as allowed. Work is counted in
 * clock-aligned windows of `maxSeconds`, of which the current and the previous one may have some
 * running; work that crashed is forgotten after them.
 */
export async function beginAtOnce(
  counters: Pick<Counters, 'count'>,
  address: string,
  { name, limit, maxSeconds }: AtOnce,
  now: Date,
): Promise<(() => Promise<void>) | undefined> {
  const rules = [{ limit, windowSeconds: maxSeconds }];
  const places = addressPlaces(name, address, rules);
  const add = (events: number) =>
    Promise.all(places.map(({ key }) => counters.count(key, maxSeconds, now, events)));
  const before = new Date(now.getTime() - maxSeconds * 1000);
  const [running, longer] = await Promise.all([
    add(1),
    Promise.all(places.map(({ key }) => counters.count(key, maxSeconds, before, 0))),
  ]);
  const end = async () => void (await add(-1));
  const isFull = places.some((place, at) =>
    place.rules.some((rule) => (running[at] ?? 0) + (longer[at] ?? 0) > rule.limit),
  );
  if (!isFull) return end;
  await end();
  return undefined;
}

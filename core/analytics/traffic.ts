import * as z from 'zod/mini';
import { AccountId, Instant } from '../../contract/visits/visit-fields.ts';
import { instant } from '../instants.ts';

/** Bytes that visitors got of sites of one account, by network, in the queue of hits. */
export const Traffic = z.object({
  kind: z.literal('traffic'),
  ownerId: AccountId,
  at: Instant,
  /** See `networkId` in `hit.ts`. */
  networks: z.record(z.string().check(z.regex(/^[0-9a-f]{16}$/)), z.int().check(z.nonnegative())),
});
export type Traffic = z.infer<typeof Traffic>;

/** The queue of traffic that is not counted yet. */
export interface TrafficQueue {
  send(traffic: Traffic): Promise<void>;
}

/** One response, or one stream. */
export interface SentResponse {
  ownerId: AccountId | null;
  network: string;
  bytes: number;
}

/**
 * A function collects this many bytes in memory before it sends a message to the queue. A message
 * costs less than a hundredth of that transfer; a function that ends loses less than this.
 */
export const trafficStepBytes = 4 * 1024 * 1024;
const maxNetworks = 200;
const maxAccounts = 500;

/** Collects what a function sent; returns a message when enough came together for one account, or too many accounts. */
export function trafficMeter(): (sent: SentResponse, now: Date) => Traffic | undefined {
  const accounts = new Map<AccountId, Map<string, number>>();
  return ({ ownerId, network, bytes }, now) => {
    if (ownerId === null || bytes <= 0) return undefined;
    const networks = accounts.get(ownerId) ?? new Map<string, number>();
    networks.set(network, (networks.get(network) ?? 0) + bytes);
    accounts.delete(ownerId);
    const total = [...networks.values()].reduce((sum, one) => sum + one, 0);
    if (total >= trafficStepBytes || networks.size >= maxNetworks) {
      return messageOf(ownerId, networks, now);
    }
    accounts.set(ownerId, networks);
    const [oldest] = accounts;
    if (accounts.size <= maxAccounts || oldest === undefined) return undefined;
    accounts.delete(oldest[0]);
    return messageOf(...oldest, now);
  };
}

function messageOf(ownerId: AccountId, networks: ReadonlyMap<string, number>, now: Date): Traffic {
  return { kind: 'traffic', ownerId, at: instant(now), networks: Object.fromEntries(networks) };
}

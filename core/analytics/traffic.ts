import * as z from 'zod/mini';
import { AccountId, Instant, ProjectId } from '../../contract/visits/visit-fields.ts';
import { instant } from '../instants.ts';

/** Bytes that visitors got of sites of one account, or of one temporary project, by network, in the queue of hits. */
export const Traffic = z.object({
  kind: z.literal('traffic'),
  /** Null while nobody owns the project. */
  ownerId: z.nullable(AccountId),
  /** The project that nobody owns. */
  projectId: z.optional(ProjectId),
  at: Instant,
  /** See `networkId` in `hit.ts`. */
  networks: z.record(z.string().check(z.regex(/^[0-9a-f]{16}$/)), z.int().check(z.nonnegative())),
});
export type Traffic = z.infer<typeof Traffic>;

/** The queue of traffic that is not counted yet. */
export interface TrafficQueue {
  send(traffic: Traffic): Promise<void>;
}

type Of = Pick<Traffic, 'ownerId'> & { projectId: ProjectId };

/** One response, or one stream. */
export interface SentResponse extends Of {
  network: string;
  bytes: number;
}

/**
 * A function collects this many bytes in memory before it sends a message to the queue. A message
 * costs less than a hundredth of that transfer; a function that ends loses less than this.
 */
export const trafficStepBytes = 4 * 1024 * 1024;
const maxNetworks = 200;
const maxMeters = 500;

/**
 * Collects what a function sent; returns a message when enough came together for one account or temporary project, or
 * too many of them.
 */
export function trafficMeter(): (sent: SentResponse, now: Date) => Traffic | undefined {
  const meters = new Map<string, { of: Of; networks: Map<string, number> }>();
  return ({ network, bytes, ...of }, now) => {
    if (bytes <= 0) return undefined;
    const name = of.ownerId ?? of.projectId;
    const meter = meters.get(name) ?? { of, networks: new Map<string, number>() };
    const { networks } = meter;
    networks.set(network, (networks.get(network) ?? 0) + bytes);
    meters.delete(name);
    const total = [...networks.values()].reduce((sum, one) => sum + one, 0);
    if (total >= trafficStepBytes || networks.size >= maxNetworks) return messageOf(meter, now);
    meters.set(name, meter);
    const [oldest] = meters;
    if (meters.size <= maxMeters || oldest === undefined) return undefined;
    meters.delete(oldest[0]);
    return messageOf(oldest[1], now);
  };
}

function messageOf(
  { of: { ownerId, projectId }, networks }: { of: Of; networks: ReadonlyMap<string, number> },
  now: Date,
): Traffic {
  const of = ownerId === null ? { ownerId, projectId } : { ownerId };
  return { kind: 'traffic', ...of, at: instant(now), networks: Object.fromEntries(networks) };
}

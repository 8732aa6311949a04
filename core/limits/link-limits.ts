import type { MaybeAccountCaller } from '../caller.ts';
import { countByAddress } from './address-limits.ts';
import { type CountedEvent, countAttempt, type Counters } from './counters.ts';

/** What the senders of one network may use of a file request, as a multiple of what one address may. */
export const networkParts = 2;

/**
 * The part of a limit that an upload link may use. Many people share a file request, so its part grows with the number
 * of uploads that it takes, up to `most`, which leaves the rest to the account. Pure.
 */
export function linkPart(
  ofOne: number,
  { linkUploads = 1 }: Pick<MaybeAccountCaller, 'linkUploads'>,
  most: number,
): number {
  return Math.max(ofOne, Math.min(most, ofOne * linkUploads));
}

/**
 * Counts what is done with an upload link; the rule is that of one sender. Of a file request the address and its network
 * are counted first, so that one sender cannot use up what all of them share.
 * @throws CodedError RATE_LIMITED
 */
export async function countByLink(
  counters: Pick<Counters, 'count'>,
  caller: MaybeAccountCaller,
  { key, rule, most, ...counted }: CountedEvent & { most: number },
  now: Date,
): Promise<void> {
  const { linkHash, linkUploads } = caller;
  if (linkHash === undefined) return;
  const name = `${key}#${linkHash}`;
  if (linkUploads !== undefined) {
    const ofNetwork = { ...rule, limit: rule.limit * networkParts };
    await countByAddress(counters, caller, { ...counted, name, rule, ofNetwork }, now);
  }
  const limit = linkPart(rule.limit, caller, most);
  await countAttempt(counters, caller, { ...counted, key: name, rule: { ...rule, limit } }, now);
}

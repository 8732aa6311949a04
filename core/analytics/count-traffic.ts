import type { AccountId, ProjectId } from '../../contract/fields.ts';
import { daySeconds } from '../../contract/limits.ts';
import type { Counters } from '../limits/counters.ts';
import { networkCaps } from './cap-visits.ts';
import type { Traffic } from './traffic.ts';
import { enforceMonthlyLimits, type MonthlyLimitDeps } from './monthly-limits.ts';
import { restTemporaryProject } from './rest-projects.ts';

/** The dependencies for counting traffic. */
export interface CountTrafficDeps extends MonthlyLimitDeps {
  counters: Pick<Counters, 'count'>;
}

/**
 * A network with fewer bytes than this in one message has no counter of its own, because such
 * networks add little.
 */
const countedNetworkBytes = 1024 * 1024;

/** A project that nobody owns rests when it was sent so often: a hundred readers of the largest one. Bytes. */
export const maxTemporaryBytes = 1_000_000_000;

/**
 * Adds sent bytes to the months of their accounts and enforces the monthly limits; a temporary project has a limit of
 * its own, {@link maxTemporaryBytes}. Bytes beyond the
 * cap of a network count only in part. Returns the messages that could not be counted and must be
 * delivered again. A message that is delivered twice may count twice.
 */
export async function countTraffic(
  deps: CountTrafficDeps,
  messages: readonly Traffic[],
): Promise<ReadonlySet<Traffic>> {
  const failed = new Set<Traffic>();
  const months = new Map<string, { ownerId: AccountId; month: string; messages: Traffic[] }>();
  for (const message of messages) {
    const { ownerId, projectId } = message;
    if (ownerId === null) {
      if (projectId === undefined || (await countTemporary(deps, projectId, message))) continue;
      failed.add(message);
      continue;
    }
    const month = message.at.slice(0, 7);
    const known = months.get(`${ownerId} ${month}`) ?? { ownerId, month, messages: [] };
    known.messages.push(message);
    months.set(`${ownerId} ${month}`, known);
  }
  for (const { ownerId, month, messages: own } of months.values()) {
    try {
      let bytes = 0;
      for (const message of own) bytes += await countedBytes(deps, ownerId, message);
      if (bytes > 0) await deps.months.addBytes(ownerId, month, bytes);
    } catch (error) {
      deps.onFailure({ kind: 'traffic', accountId: ownerId }, error);
      for (const message of own) failed.add(message);
      continue;
    }
    const updated = { accountId: ownerId, month, projects: 'any' } as const;
    await enforceMonthlyLimits(deps, updated).catch((error: unknown) =>
      deps.onFailure({ kind: 'monthly-limit', accountId: ownerId }, error),
    );
  }
  return failed;
}

/** Whether the bytes of a temporary project could be counted. */
async function countTemporary(
  deps: CountTrafficDeps,
  projectId: ProjectId,
  { at, networks }: Traffic,
): Promise<boolean> {
  try {
    const bytes = Object.values(networks).reduce((sum, one) => sum + one, 0);
    const key = `temporary-traffic#${projectId}`;
    const total = await deps.counters.count(key, daySeconds, new Date(at), bytes);
    if (total >= maxTemporaryBytes) await restTemporaryProject(deps, projectId);
    return true;
  } catch (error) {
    deps.onFailure({ kind: 'traffic', projectId }, error);
    return false;
  }
}

/** The bytes that a message adds to the month; see {@link withinCap}. */
async function countedBytes(
  { counters }: Pick<CountTrafficDeps, 'counters'>,
  ownerId: AccountId,
  { at, networks }: Traffic,
): Promise<number> {
  let counted = 0;
  for (const [network, bytes] of Object.entries(networks)) {
    if (bytes < countedNetworkBytes) {
      counted += bytes;
      continue;
    }
    const key = `traffic#${ownerId}#${network}`;
    const total = await counters.count(key, daySeconds, new Date(at), bytes);
    counted += withinCap(bytes, networkCaps.bytes - (total - bytes));
  }
  return counted;
}

/**
 * What counts of a network's bytes, with so many left of its cap for the day. Beyond it a part counts, because
 * the operator pays for it.
 */
function withinCap(bytes: number, left: number): number {
  const whole = Math.min(bytes, Math.max(0, left));
  return whole + Math.ceil((bytes - whole) / networkCaps.bytesPart);
}

import type { AccountId } from '../../../contract/fields.ts';
import { instant, plusSeconds } from '../../instants.ts';
import type { Project } from '../project.ts';
import { type DeletedProjectStore, restoreMarginSeconds } from './restore-project.ts';

/** More than anybody looks through; also bounds what one deletion reads. */
const maxKept = 500;

/** How much of an account's deleted projects is kept; -1 means unlimited bytes. */
interface KeptLimit {
  maxBytes: number;
}

/**
 * The deleted projects for which there is no room beside the latest one, which is kept in any case. Pure.
 * @param earlier the projects deleted before it, latest first
 */
export function beyondKept<One extends { project: Pick<Project, 'bytes' | 'history'> }>(
  latest: One['project'],
  earlier: readonly One[],
  { maxBytes }: KeptLimit,
): One[] {
  let bytes = storedBytes(latest);
  const surplus = earlier.findIndex(({ project }, index) => {
    bytes += storedBytes(project);
    return index + 1 >= maxKept || (maxBytes !== -1 && bytes > maxBytes);
  });
  return surplus === -1 ? [] : earlier.slice(surplus);
}

function storedBytes({ bytes, history }: Pick<Project, 'bytes' | 'history'>): number {
  return bytes + history.bytes;
}

/**
 * Makes an account's oldest deleted projects due for removal until the rest has room. They become
 * due only when no restoration of them can still be running. The list is eventually consistent: a
 * deletion in the same second may be missed, and is counted at the next.
 * @param latest the project that was just deleted
 */
export async function trimDeleted(
  deps: { deleted: Pick<DeletedProjectStore, 'listByAccount' | 'endKeeping'>; now(): Date },
  { accountId, latest }: { accountId: AccountId; latest: Project },
  limit: KeptLimit,
): Promise<void> {
  const { deleted } = await deps.deleted.listByAccount(accountId, { limit: maxKept + 1 });
  const earlier = deleted.filter(({ project }) => project.id !== latest.id);
  const dueAt = instant(plusSeconds(deps.now(), restoreMarginSeconds));
  const surplus = beyondKept(latest, earlier, limit);
  await Promise.all(surplus.map((one) => deps.deleted.endKeeping(one, dueAt)));
}

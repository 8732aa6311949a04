import type { Instant } from '../../../contract/fields.ts';
import { instant, plusSeconds } from '../../instants.ts';
import type { PurgeWish } from '../../ports.ts';
import type { Project } from '../project.ts';

/** Longer than any request of the gate that read the old state and may still reach the edge's cache. */
const secondPurgeSeconds = 60;

/** When the edge is purged a second time for a project that changes now. */
export function purgeDueAt(now: Date): Instant {
  return instant(plusSeconds(now, secondPurgeSeconds));
}

/** What a change needs of its purge. `after` is undefined where the project is removed. */
export function purgeWishOf(before: Project | undefined, after: Project | undefined): PurgeWish {
  return { restrictsAccess: before !== undefined && restrictsAccess(before, after) };
}

/** Whether somebody may lose access to a project by a change. */
function restrictsAccess(before: Project, after: Project | undefined): boolean {
  if (after === undefined) return true;
  const isWithheld = ({ takedown, suspendedAt }: Pick<Project, 'takedown' | 'suspendedAt'>) =>
    takedown !== null || suspendedAt !== null;
  const doors = ({ status, access, passwordHash, peopleStamp, host, ...rest }: Project) =>
    [status, access, passwordHash, peopleStamp, host, rest.expiresAt, rest.archivedAt]
      .concat(String(isWithheld(rest)))
      .join();
  return doors(before) !== doors(after);
}

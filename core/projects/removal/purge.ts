import type { Instant } from '../../../contract/fields.ts';
import { instant, plusSeconds } from '../../instants.ts';
import type { PurgeWish } from '../../ports.ts';
import { mediaLinkSeconds } from '../../visit/protocol/cache-policy.ts';
import { maxInlineBytes } from '../../visit/decide-visit.ts';
import type { Project } from '../project.ts';

/** Longer than any request of the gate that read the old state and may still reach the edge's cache. */
const secondPurgeSeconds = 60;

/** When the edge is purged a second time for a project that changes now. */
export function purgeDueAt(now: Date): Instant {
  return instant(plusSeconds(now, secondPurgeSeconds));
}

/**
 * How the edge must be purged after a change. If the change removes access, links to large files
 * must have expired before, because they work without the gate. `after` is undefined if the project
 * is removed.
 */
export function purgeWishOf(before: Project | undefined, after: Project | undefined): PurgeWish {
  if (before === undefined || !restrictsAccess(before, after)) {
    return { waitMs: 0, restrictsAccess: false };
  }
  const mayHaveLinks = before.bytes > maxInlineBytes && before.archivedAt === null;
  return { waitMs: mayHaveLinks ? mediaLinkSeconds * 1000 : 0, restrictsAccess: true };
}

/** Whether somebody may lose access to a project by a change. */
function restrictsAccess(before: Project, after: Project | undefined): boolean {
  if (after === undefined) return true;
  const isWithheld = ({ takedown, suspendedAt }: Pick<Project, 'takedown' | 'suspendedAt'>) =>
    takedown !== null || suspendedAt !== null;
  const doors = ({ status, access, passwordHash, host, expiresAt, archivedAt, ...rest }: Project) =>
    [status, access, passwordHash, host, expiresAt, archivedAt, isWithheld(rest)].join();
  return doors(before) !== doors(after);
}

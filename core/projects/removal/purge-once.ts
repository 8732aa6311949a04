import type { Instant, ProjectId } from '../../../contract/fields.ts';
import { instant, plusSeconds } from '../../instants.ts';
import type { EdgeCache } from '../../ports.ts';
import { staleResponseMs } from '../../visit/protocol/cache-policy.ts';

/** The purges that changes have made necessary, one row for each project. */
export interface PurgeRows {
  /** Whether a project has a purge with fewer than `purges` invalidations yet. */
  isOpen(projectId: ProjectId, purges: number): Promise<boolean>;
  /**
   * Gives one caller the right to do an open purge until an instant; false while another caller has
   * it.
   */
  lease(projectId: ProjectId, lease: PurgeLease): Promise<boolean>;
  /** Records the invalidation of a lease, unless a later change has made another purge necessary. */
  endLease(projectId: ProjectId, until: Instant): Promise<void>;
}

/**
 * A caller's right to invalidate from `at` until `until`, if there were fewer than `purges`
 * invalidations.
 */
export interface PurgeLease {
  purges: number;
  at: Instant;
  until: Instant;
}

/** Dependencies of {@link purgingOnce}. */
export interface PurgeDeps {
  rows: PurgeRows;
  /** Makes one paid invalidation. */
  invalidate: (projectId: ProjectId) => Promise<void>;
  pause: (ms: number) => Promise<void>;
  now: () => Date;
}

/** Longer than CloudFront takes to accept an invalidation. */
const leaseSeconds = 6;
const pollMs = 200;
/** After so many polls the lease of another caller has ended. */
const polls = ((leaseSeconds + 2) * 1000) / pollMs;

/**
 * An edge cache with at most one running purge for each project; changes that come meanwhile wait
 * for it. That purge covers them too: each change is written before it requests a purge, and in the
 * minute after a change the edge caches nothing of the project.
 */
export function purgingOnce({ rows, invalidate, pause, now }: PurgeDeps): EdgeCache {
  return {
    purge: invalidate,
    async purgeAfterDelay(projectId, { restrictsAccess }) {
      // A slow response may reach the edge after the first purge: less access is worth another one.
      const purges = restrictsAccess ? 2 : 1;
      if (!(await rows.isOpen(projectId, purges))) return;
      await pause(staleResponseMs);
      for (let count = 0; count < polls; count += 1) {
        const at = now();
        const until = instant(plusSeconds(at, leaseSeconds));
        if (await rows.lease(projectId, { purges, at: instant(at), until })) {
          await invalidate(projectId);
          return rows.endLease(projectId, until);
        }
        await pause(pollMs);
        if (!(await rows.isOpen(projectId, purges))) return;
      }
      throw new Error(`the edge was not purged of project ${projectId} in time`);
    },
  };
}

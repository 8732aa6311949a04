import type { Account } from '../accounts/account.ts';
import type { Project } from '../projects/project.ts';
import type { QuotaCharge, TotalLimits } from '../projects/quota.ts';

/** The target of an upload, and its size in bytes. */
interface PlannedUpload {
  account: Account;
  /** The project that gets a new version; null for a new project. */
  project: Project | null;
  /** Whether the project keeps its files. */
  isAdded: boolean;
  bytes: number;
}

/** How publishing an upload would change the usage totals of the account, as far as it is known before the files are there. */
export function uploadCharge(
  { maxProjects, maxStorageBytes }: TotalLimits,
  { account, project, isAdded, bytes }: PlannedUpload,
): QuotaCharge {
  // An archived project counts neither before nor after.
  const isArchived = project !== null && project.archivedAt !== null;
  const replaced = isAdded ? 0 : (project?.bytes ?? 0);
  const counted = isArchived ? 0 : bytes - replaced;
  return {
    accountId: account.id,
    projects: project === null ? 1 : 0,
    archived: 0,
    bytes: counted,
    earlierBytes: 0,
    maxProjects,
    maxStorageBytes,
  };
}

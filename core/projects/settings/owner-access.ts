import type { AccountId, Instant, KeyId, ProjectId } from '../../../contract/fields.ts';
import { workPool } from '../publishing/work-pool.ts';
import { type OperateDeps, OperatorError, operateOn } from '../moderation/operate.ts';

/** Which projects a key made owner links for, as long as a link or its cookie may live. */
export interface OwnerAccessStore {
  note(made: OwnerAccess): Promise<void>;
  /** Strongly consistent: one that was noted a moment ago is there. */
  list(accountId: AccountId, keyId: KeyId): Promise<ProjectId[]>;
}

/** That a key lets its holder into a project as the owner, until then at the latest. */
export interface OwnerAccess {
  accountId: AccountId;
  keyId: KeyId;
  projectId: ProjectId;
  until: Instant;
}

/** What ending owners' access needs. */
export interface EndOwnerAccessDeps extends Omit<OperateDeps, 'sites' | 'edge'> {
  ownerAccess: Pick<OwnerAccessStore, 'list'>;
}

/** Projects that are changed at once. */
const atOnce = 8;

/** An owner's pages of a site that is not public are kept nowhere, and those of a public one are everybody's. */
const nothingKept = { forget: async () => undefined, forgetStragglers: async () => undefined };

/**
 * Ends every owner link and every owner's cookie of the projects that a key made links for. The key
 * has to be gone before: no link is handed out after that (see `viewLink`).
 */
export async function endOwnerAccess(
  deps: EndOwnerAccessDeps,
  accountId: AccountId,
  keyId: KeyId,
): Promise<void> {
  const pool = workPool({ count: atOnce, bytes: Number.POSITIVE_INFINITY });
  for (const projectId of await deps.ownerAccess.list(accountId, keyId)) {
    await pool.add(0, () => beginRevision(deps, projectId));
  }
  await pool.settled();
}

async function beginRevision(deps: EndOwnerAccessDeps, projectId: ProjectId): Promise<void> {
  try {
    await operateOn({ ...deps, edge: nothingKept }, projectId, ({ ownerRevision }) => ({
      ownerRevision: ownerRevision + 1,
    }));
  } catch (error) {
    // Deleted meanwhile: nobody gets in anyway.
    if (!(error instanceof OperatorError)) throw error;
  }
}

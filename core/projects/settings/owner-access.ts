import type { AccountId, Instant, KeyId, ProjectId } from '../../../contract/fields.ts';
import { workPool } from '../publishing/work-pool.ts';
import {
  type OperatorDeps,
  OperatorError,
  changeAsOperator,
} from '../moderation/operator-change.ts';

/**
 * Records for which projects a key made owner links, for as long as a link or its cookie can be
 * valid.
 */
export interface OwnerAccessStore {
  note(made: OwnerAccess): Promise<void>;
  /** Strongly consistent: it includes a record that was added a moment ago. */
  list(accountId: AccountId, keyId: KeyId): Promise<ProjectId[]>;
}

/** A key made an owner link for a project; the link and its cookie end at `until` at the latest. */
export interface OwnerAccess {
  accountId: AccountId;
  keyId: KeyId;
  projectId: ProjectId;
  until: Instant;
}

/** Dependencies of {@link endOwnerAccess}. */
export interface EndOwnerAccessDeps extends Omit<OperatorDeps, 'sites' | 'roots' | 'edge'> {
  ownerAccess: Pick<OwnerAccessStore, 'list'>;
}

/** Projects that are changed in parallel. */
const maxConcurrentChanges = 8;

/** No purge is needed: owners' pages of a site that is not public are never cached, and a public site is open to everybody. */
const noEdgeCache = { purge: async () => undefined, purgeAfterDelay: async () => undefined };

/**
 * Ends all owner links and owner cookies of the projects for which a key made links. Delete the key
 * first, so that it makes no further links (see `createViewLink`).
 */
export async function endOwnerAccess(
  deps: EndOwnerAccessDeps,
  accountId: AccountId,
  keyId: KeyId,
): Promise<void> {
  const pool = workPool({ count: maxConcurrentChanges, bytes: Number.POSITIVE_INFINITY });
  for (const projectId of await deps.ownerAccess.list(accountId, keyId)) {
    await pool.add(0, () => raiseOwnerRevision(deps, projectId));
  }
  await pool.settled();
}

async function raiseOwnerRevision(deps: EndOwnerAccessDeps, projectId: ProjectId): Promise<void> {
  try {
    await changeAsOperator({ ...deps, edge: noEdgeCache }, projectId, ({ ownerRevision }) => ({
      ownerRevision: ownerRevision + 1,
    }));
  } catch (error) {
    // The project was deleted in the meantime.
    if (!(error instanceof OperatorError)) throw error;
  }
}

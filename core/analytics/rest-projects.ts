import type { AccountId, Instant, ProjectId } from '../../contract/fields.ts';
import { changeIfPresent, type OperatorDeps } from '../projects/moderation/operator-change.ts';
import type { OwnedProjectStore } from '../projects/owned-projects.ts';

/** The dependencies for making projects rest. */
export interface RestDeps extends Omit<OperatorDeps, 'sites' | 'roots' | 'owned'> {
  owned: Pick<OwnedProjectStore, 'change' | 'list'>;
}

const pageSize = 100;

/** Makes every active project of an account rest until an instant; null ends the rest of all its projects. */
export async function setAccountRestingUntil(
  deps: RestDeps,
  accountId: AccountId,
  until: Instant | null,
): Promise<void> {
  for (let offset = 0; ; offset += pageSize) {
    const archived = until === null ? 'all' : 'false';
    const projects = await deps.owned.list({ accountId, archived, limit: pageSize, offset });
    for (const { id, restingUntil } of projects) {
      if (restingUntil !== until) await restProject(deps, id, until);
    }
    if (projects.length < pageSize) return;
  }
}

/** The same for one project; a project that rests until then already is not changed. */
export async function restProject(
  deps: RestDeps,
  projectId: ProjectId,
  until: Instant | null,
): Promise<void> {
  await changeIfPresent(deps, projectId, ({ restingUntil }) =>
    restingUntil === until ? undefined : { restingUntil: until },
  );
}

/** A project that nobody owns rests until it ends. Whoever claims it ends its rest. */
export async function restTemporaryProject(deps: RestDeps, projectId: ProjectId): Promise<void> {
  await changeIfPresent(deps, projectId, ({ ownerId, restingUntil, expiresAt }) =>
    ownerId !== null || restingUntil !== null ? undefined : { restingUntil: expiresAt },
  );
}

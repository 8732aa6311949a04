import type { AccountId, Instant, ProjectId } from '../../contract/fields.ts';
import { type OperateDeps, OperatorError, operateOn } from '../projects/moderation/operate.ts';
import type { OwnedProjectStore } from '../projects/owned-projects.ts';

/** What putting projects to rest needs. */
export interface RestDeps extends Omit<OperateDeps, 'sites' | 'owned'> {
  owned: Pick<OwnedProjectStore, 'change' | 'list'>;
}

const pageSize = 100;

/** Keeps visitors from every active project of an account until an instant, or lets them in to all again (null). */
export async function restAll(
  deps: RestDeps,
  accountId: AccountId,
  until: Instant | null,
): Promise<void> {
  for (let offset = 0; ; offset += pageSize) {
    const archived = until === null ? 'all' : 'false';
    const projects = await deps.owned.list({ accountId, archived, limit: pageSize, offset });
    for (const { id } of projects) await rest(deps, id, until);
    if (projects.length < pageSize) return;
  }
}

/** The same for one project; one that rests so long already is left as it is. */
export async function rest(
  deps: RestDeps,
  projectId: ProjectId,
  until: Instant | null,
): Promise<void> {
  try {
    await operateOn(deps, projectId, ({ restingUntil }) =>
      restingUntil === until ? undefined : { restingUntil: until },
    );
  } catch (error) {
    // Deleted meanwhile: nobody gets to it anyway.
    if (!(error instanceof OperatorError)) throw error;
  }
}

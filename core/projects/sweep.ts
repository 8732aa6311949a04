import type { ProjectId } from '../../contract/fields.ts';
import { projectPrefix, versionPrefix } from '../content/content-keys.ts';
import type { ContentStore, ProjectStore } from '../ports.ts';

/** What removing needs. */
export interface RemovalDeps {
  projects: ProjectStore;
  content: Pick<ContentStore, 'deletePrefix'>;
}

/** What removing everything whose time is over needs. */
export interface SweepDeps extends RemovalDeps {
  /** Told of an item that could not be removed; the others go on. */
  onFailure(item: unknown, error: unknown): void;
}

/** How much a sweep removed and what it could not. */
export interface SweepResult {
  projects: number;
  intents: number;
  failures: number;
}

/** Removes every expired project and every abandoned upload, rows and bytes, until `deadline`. */
export async function sweep(deps: SweepDeps, now: Date, deadline: () => boolean) {
  const result: SweepResult = { projects: 0, intents: 0, failures: 0 };
  for await (const item of deps.projects.due(now)) {
    if (deadline()) break;
    try {
      if (item.kind === 'intent') {
        await removeIntent(deps, item.projectId, item.version);
        result.intents += 1;
      } else if (await removeExpired(deps, item.projectId, now)) {
        result.projects += 1;
      }
    } catch (error) {
      result.failures += 1;
      deps.onFailure(item, error);
    }
  }
  return result;
}

/** What is known of a project that is to be removed wholly. */
export interface ProjectRemains {
  projectId: ProjectId;
  host?: string;
  claimHash?: string;
}

/**
 * Removes all that hangs on a project: the address first, so that no visitor meets half a site,
 * then bytes, then rows, its own row last, so that a crash at any point is taken up again.
 */
export async function removeRemains(deps: RemovalDeps, remains: ProjectRemains): Promise<void> {
  const { projectId, host, claimHash } = remains;
  if (host !== undefined) await deps.projects.releaseHost(host, projectId);
  await deps.content.deletePrefix(projectPrefix(projectId));
  await deps.projects.removeRows(projectId, claimHash);
}

/** Removes the bytes of an abandoned upload, then its row: while that stands, they are found again. */
export async function removeIntent(deps: RemovalDeps, projectId: ProjectId, version: number) {
  await deps.content.deletePrefix(versionPrefix(projectId, version));
  await deps.projects.endIntent({ projectId, version });
}

async function removeExpired(deps: SweepDeps, projectId: ProjectId, now: Date): Promise<boolean> {
  if (!(await deps.projects.claimForRemoval(projectId, now))) return false;
  const project = await deps.projects.get(projectId);
  if (project === undefined) return false;
  const { host, claimHash } = project;
  await removeRemains(deps, { projectId, host, claimHash });
  return true;
}

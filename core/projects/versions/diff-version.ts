import type { AccountCaller } from '../../caller.ts';
import type { ContentStore, ProjectStore } from '../../ports.ts';
import type { Manifest } from '../../visit/manifest.ts';
import { isRetained } from '../../visit/retained-assets.ts';
import { loadAllVersionFiles } from './kept-versions.ts';
import { requireOwnedProject, unlessRemoved } from '../owned-projects.ts';
import type { Project, Version } from '../project.ts';
import { readRetained } from './retain-assets.ts';
import { parseVersionNumber, versionNotFound } from './deployment.ts';

/** The dependencies for comparing versions. */
export interface DiffVersionDeps {
  projects: Pick<ProjectStore, 'get' | 'listVersions'>;
  content: Pick<ContentStore, 'get'>;
  now(): Date;
}

/**
 * The added, changed and removed files of a version, compared with the live one. The live version
 * is compared with the one before it, unless `against` names another. Also lists the assets of
 * earlier versions that stay reachable.
 * @throws CodedError NOT_FOUND
 */
export async function diffVersion(
  deps: DiffVersionDeps,
  caller: AccountCaller,
  input: { projectId: string; version: string; against?: number | undefined },
) {
  const number = parseVersionNumber(input);
  const project = await requireOwnedProject(deps.projects, caller, input.projectId);
  const kept = await deps.projects.listVersions(project.id);
  const target = requireKept(kept, number);
  const other =
    input.against === undefined
      ? comparisonBase(project, target, kept)
      : requireKept(kept, input.against);
  const compared = other === undefined ? [target] : [target, other];
  const [is, was] = await loadAllVersionFiles(deps.content, project.id, compared).catch(
    unlessRemoved(deps.projects, caller, project.id),
  );
  const sizeDelta = target.bytes - (other?.bytes ?? 0);
  const retained = await describeRetained(deps, project, kept);
  const against = other?.version ?? null;
  return { against, ...compareManifests(was?.files, is?.files), sizeDelta, retained };
}

/** The assets of earlier versions that visitors of the live version still reach. */
async function describeRetained(
  deps: Pick<DiffVersionDeps, 'content' | 'now'>,
  project: Project,
  kept: readonly Version[],
) {
  const live = kept.find(({ version }) => version === project.version);
  const files = live && (await readRetained(deps.content, { ...project, liveStore: live.store }));
  const now = deps.now();
  const current = [...(files ?? [])].filter(([, entry]) => isRetained(entry, now));
  const bytes = current.reduce((sum, [, { size }]) => sum + size, 0);
  const paths = current.map(([path]) => path).toSorted();
  return { paths, bytes, until: paths.length === 0 ? null : (project.retained?.until ?? null) };
}

function requireKept(kept: readonly Version[], number: number): Version {
  const found = kept.find(({ version }) => version === number);
  if (found === undefined) throw versionNotFound(number);
  return found;
}

/** The version to compare with; `undefined` for the oldest one while it is live. */
function comparisonBase(
  project: Project,
  target: Version,
  kept: readonly Version[],
): Version | undefined {
  return target.version === project.version
    ? kept.find(({ version }) => version < target.version)
    : kept.find(({ version }) => version === project.version);
}

/** The added, changed and removed paths, sorted. Pure. */
export function compareManifests(was: Manifest = new Map(), is: Manifest = new Map()) {
  const added = [...is.keys()].filter((path) => !was.has(path)).toSorted();
  const removed = [...was.keys()].filter((path) => !is.has(path)).toSorted();
  const changed = [...is]
    .filter(([path, { size, hash }]) => {
      const before = was.get(path);
      return before !== undefined && (before.size !== size || before.hash !== hash);
    })
    .map(([path]) => path)
    .toSorted();
  return { added, changed, removed };
}

import type { AccountCaller } from '../../caller.ts';
import type { ContentStore, ProjectStore } from '../../ports.ts';
import type { Manifest } from '../../visit/manifest.ts';
import { withFiles } from './kept-versions.ts';
import { ownedProject } from '../owned-project.ts';
import type { Project, Version } from '../project.ts';
import { versionNotFound, versionNumber } from './roll-back.ts';

/** What comparing versions needs. */
export interface DiffVersionDeps {
  projects: Pick<ProjectStore, 'get' | 'versions'>;
  content: Pick<ContentStore, 'get'>;
}

/**
 * What one version has, has otherwise and lacks, beside the live one; the live one beside the one
 * before it.
 * @throws CodedError NOT_FOUND
 */
export async function diffVersion(
  deps: DiffVersionDeps,
  caller: AccountCaller,
  input: { projectId: string; version: string },
) {
  const number = versionNumber(input);
  const project = await ownedProject(deps.projects, caller, input.projectId);
  const kept = await deps.projects.versions(project.id);
  const wanted = kept.find(({ version }) => version === number);
  if (wanted === undefined) throw versionNotFound(number);
  const other = otherOf(project, wanted, kept);
  const compared = other === undefined ? [wanted] : [wanted, other];
  const [is, was] = await withFiles(deps.content, project.id, compared);
  const sizeDelta = wanted.bytes - (other?.bytes ?? 0);
  return { against: other?.version ?? null, ...compare(was?.files, is?.files), sizeDelta };
}

/** What a version is compared with; `undefined` for the oldest one while it is live. */
function otherOf(project: Project, wanted: Version, kept: readonly Version[]): Version | undefined {
  return wanted.version === project.version
    ? kept.find(({ version }) => version < wanted.version)
    : kept.find(({ version }) => version === project.version);
}

/** Paths by what became of them, in order. Pure. */
export function compare(was: Manifest = new Map(), is: Manifest = new Map()) {
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

import { isDeepStrictEqual } from 'node:util';
import type { ArchivedProject } from '../../contract/account-export.ts';
import type { AccountId } from '../../contract/fields.ts';
import { historyOf } from '../projects/history/project-history.ts';
import { Project, type Version } from '../projects/project.ts';
import type { Manifest } from '../visit/manifest.ts';
import { exportedFiles, projectFacts, versionFacts } from './export-facts.ts';

/** An archived project as an account has it in this deployment. Pure. */
export function restoredProject(
  archived: ArchivedProject,
  { ownerId, host }: { ownerId: AccountId; host: string },
): Project {
  const live = archived.versions.find(({ version }) => version === archived.liveVersion);
  if (live === undefined) throw new Error('the live version is missing');
  return Project.parse({
    ...archived,
    ownerId,
    host,
    // A domain has to be proved to each deployment.
    domainId: null,
    version: live.version,
    bytes: live.bytes,
    fileCount: live.fileCount,
    history: historyOf(archived.versions, live.version),
    revision: 1,
    ownerRevision: 0,
    removingAt: null,
    restingUntil: null,
    suspendedAt: null,
    failure: null,
    addressHistory: null,
  });
}

/** Whether a project with its versions is what its archive would be restored to. Pure. */
export function isRestored(
  found: Project,
  versions: readonly (Version & { files: Manifest })[],
  archived: ArchivedProject,
): boolean {
  const { ownerId, host } = found;
  if (ownerId === null) return false;
  const wanted = projectFacts(restoredProject(archived, { ownerId, host }));
  return isDeepStrictEqual(projectFacts(found), wanted) && haveSameFiles(versions, archived);
}

/** Whether versions, some or all, are those of an archive. */
export function areOf(
  versions: readonly (Version & { files: Manifest })[],
  archived: ArchivedProject,
): boolean {
  return versions.every((version) => {
    const wanted = archived.versions.find((one) => one.version === version.version);
    if (wanted === undefined) return false;
    const { files: _, ...facts } = wanted;
    return isDeepStrictEqual(versionFacts(version, exportedFiles(version.files)), facts);
  });
}

function haveSameFiles(
  versions: readonly (Version & { files: Manifest })[],
  archived: ArchivedProject,
): boolean {
  return versions.length === archived.versions.length && areOf(versions, archived);
}

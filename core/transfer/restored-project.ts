import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { ProjectExport } from '../../contract/account-export.ts';
import { type AccountId, DomainId } from '../../contract/fields.ts';
import type { PeopleList } from '../people/people-list.ts';
import { summarizeHistory } from '../projects/history/project-history.ts';
import { Project, type Version } from '../projects/project.ts';
import type { Manifest } from '../visit/manifest.ts';
import { exportedFiles, projectFacts, versionFacts } from './export-facts.ts';

/** The project that an archive restores to in this service. Pure. */
export function restoredProject(
  archived: ProjectExport,
  { ownerId, host, domainId }: { ownerId: AccountId; host: string; domainId: DomainId | null },
): Project {
  const live = archived.versions.find(({ version }) => version === archived.liveVersion);
  if (live === undefined) throw new Error('the live version is missing');
  return Project.parse({
    ...archived,
    ownerId,
    host,
    domainId,
    version: live.version,
    bytes: live.bytes,
    fileCount: live.fileCount,
    history: summarizeHistory(archived.versions, live.version),
    revision: 1,
    ownerRevision: 0,
    removingAt: null,
    restingUntil: null,
    peopleStamp: archivedPeople(archived)?.stamp,
    suspendedAt: null,
    failure: null,
    addressHistory: null,
  });
}

/** The list of people of an archived project. Pure: its stamp is the same in each try of an import. */
export function archivedPeople({
  people,
  deniedPeople,
}: Pick<ProjectExport, 'people' | 'deniedPeople'>): PeopleList | undefined {
  if (people === undefined && deniedPeople === undefined) return undefined;
  const list = { people: people ?? [], deniedPeople: deniedPeople ?? [] };
  const hash = createHash('sha256').update(JSON.stringify(list)).digest('base64url');
  return { stamp: hash.slice(0, 12), ...list };
}

/**
 * Whether a project and its versions equal what its archive would restore to. Pure. A project that had a
 * custom domain may have any now, or none.
 */
export function matchesArchive(
  found: Project,
  versions: readonly (Version & { files: Manifest })[],
  archived: ProjectExport,
): boolean {
  const { ownerId, host } = found;
  if (ownerId === null) return false;
  const hadDomain = archived.domainId !== null && found.domainId !== null;
  const domainId = hadDomain ? DomainId.parse(found.domainId) : null;
  const expected = projectFacts(restoredProject(archived, { ownerId, host, domainId }));
  return isDeepStrictEqual(projectFacts(found), expected) && haveSameFiles(versions, archived);
}

/** Whether all given versions are in the archive and equal to it. */
export function versionsMatchArchive(
  versions: readonly (Version & { files: Manifest })[],
  archived: ProjectExport,
): boolean {
  return versions.every((version) => {
    const expected = archived.versions.find((one) => one.version === version.version);
    if (expected === undefined) return false;
    const { files: _, ...facts } = expected;
    return isDeepStrictEqual(versionFacts(version, exportedFiles(version.files)), facts);
  });
}

function haveSameFiles(
  versions: readonly (Version & { files: Manifest })[],
  archived: ProjectExport,
): boolean {
  return versions.length === archived.versions.length && versionsMatchArchive(versions, archived);
}

import {
  type ExportedFile,
  type ExportedWorkspace,
  ProjectFacts,
  type VersionFacts,
} from '../../contract/account-export.ts';
import type { Project, Version } from '../projects/project.ts';
import type { Manifest } from '../visit/manifest.ts';
import type { Workspace } from '../workspaces/workspace.ts';
import { byPath, filesHash } from './files-hash.ts';

/** A project as an export tells it, but for its versions. */
export function projectFacts(project: Project): ProjectFacts {
  // Nothing is counted of a project yet.
  return ProjectFacts.parse({ ...project, liveVersion: project.version, counts: {} });
}

/** A version as an export tells it, but for its files. */
export function versionFacts(
  { version, type, home, bytes, fileCount, createdAt }: Version,
  files: readonly ExportedFile[],
): VersionFacts {
  return { version, type, home, bytes, fileCount, createdAt, filesHash: filesHash(files) };
}

/** The files of a version in the order of an export. */
export function exportedFiles(manifest: Manifest): ExportedFile[] {
  return [...manifest].map(([path, { size, hash }]) => ({ path, size, hash })).toSorted(byPath);
}

/** Workspaces in the order in which they were made, but for those that are being deleted. */
export function exportedWorkspaces(workspaces: readonly Workspace[]): ExportedWorkspace[] {
  return workspaces
    .filter(({ deletingAt }) => deletingAt === null)
    .toSorted((a, b) => (a.createdAt + a.id < b.createdAt + b.id ? -1 : 1))
    .map(({ id, name, createdAt, updatedAt }) => ({ id, name, createdAt, updatedAt }));
}

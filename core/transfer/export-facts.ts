import {
  type ExportedFile,
  type ExportedWorkspace,
  ProjectMetadata,
  type VersionMetadata,
} from '../../contract/account-export.ts';
import type { Project, Version } from '../projects/project.ts';
import type { Manifest } from '../visit/manifest.ts';
import type { Workspace } from '../workspaces/workspace.ts';
import { byPath, filesHash } from './exported-files.ts';

/** The metadata of a project in an export, without its versions. */
export function projectFacts(project: Project): ProjectMetadata {
  // Exports have no per-project counts yet.
  return ProjectMetadata.parse({ ...project, liveVersion: project.version, counts: {} });
}

/** The metadata of a version in an export, without its files. */
export function versionFacts(
  { version, type, home, bytes, fileCount, createdAt, publishedBy, note }: Version,
  files: readonly ExportedFile[],
): VersionMetadata {
  const published = { createdAt, publishedBy, ...(note !== undefined && { note }) };
  return { version, type, home, bytes, fileCount, ...published, filesHash: filesHash(files) };
}

/** The files of a version in the order of an export. */
export function exportedFiles(manifest: Manifest): ExportedFile[] {
  return [...manifest].map(([path, { size, hash }]) => ({ path, size, hash })).toSorted(byPath);
}

/** Workspaces in the order of their creation, without those that are being deleted. */
export function exportedWorkspaces(workspaces: readonly Workspace[]): ExportedWorkspace[] {
  return workspaces
    .filter(({ deletingAt }) => deletingAt === null)
    .toSorted((a, b) => (a.createdAt + a.id < b.createdAt + b.id ? -1 : 1))
    .map(({ id, name, createdAt, updatedAt }) => ({ id, name, createdAt, updatedAt }));
}

import {
  type ExportedFile,
  ProjectFacts,
  type VersionFacts,
} from '../../contract/account-export.ts';
import type { Project, Version } from '../projects/project.ts';
import type { Manifest } from '../visit/manifest.ts';
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

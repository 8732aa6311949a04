import type {
  AccountExport,
  ProjectExport,
  VersionExport,
  ExportPage,
  ExportPageProject,
} from '../../contract/account-export.ts';
import type { ProjectId } from '../../contract/fields.ts';
import { findArchiveFault } from './archive-faults.ts';

/** Combines the pages of one export. */
export interface ArchiveBuilder {
  /** Pages in their order. */
  add(page: ExportPage): void;
  /**
   * The whole export, and the projects that are incomplete because they changed between two pages.
   */
  result(): { archive: AccountExport; incomplete: string[] };
}

/** Starts an archive with its first page. Links are omitted, because they expire within an hour. */
export function archiveBuilder(first: ExportPage): ArchiveBuilder {
  const { formatVersion, exportedAt, account, workspaces } = first;
  const projects = new Map<ProjectId, ProjectExport>();
  const builder: ArchiveBuilder = {
    add(page) {
      for (const part of page.projects) {
        projects.set(part.id, joinParts(projects.get(part.id), part));
      }
    },
    result() {
      const all = [...projects.values()];
      const incomplete = all
        .filter((project) => findArchiveFault(project) !== undefined)
        .map(({ id }) => id);
      return {
        archive: { formatVersion, exportedAt, account, workspaces, projects: all },
        incomplete,
      };
    },
  };
  builder.add(first);
  return builder;
}

/** Later pages win, because a project may have changed. */
function joinParts(before: ProjectExport | undefined, part: ExportPageProject): ProjectExport {
  const versions = [...(before?.versions ?? [])];
  for (const { filesFrom, files, ...facts } of part.versions) {
    const own = files.map(({ path, size, hash }) => ({ path, size, hash }));
    const earlier = filesFrom === 0 ? undefined : versions.pop();
    versions.push({ ...facts, files: [...filesBefore(earlier, facts), ...own] });
  }
  return { ...part, versions };
}

/**
 * Files are joined only within one version. If the version changed, files are missing and the hash
 * shows it.
 */
function filesBefore(
  earlier: VersionExport | undefined,
  { version }: Pick<VersionExport, 'version'>,
): VersionExport['files'] {
  return earlier?.version === version ? earlier.files : [];
}

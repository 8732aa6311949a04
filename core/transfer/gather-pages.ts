import type {
  AccountArchive,
  ArchivedProject,
  ArchivedVersion,
  ExportPage,
  PagedProject,
} from '../../contract/account-export.ts';
import type { ProjectId } from '../../contract/fields.ts';
import { faultOf } from './archive-faults.ts';

/** Puts the pages of one export together. */
export interface Gathering {
  /** Pages in their order. */
  add(page: ExportPage): void;
  /** All of it, and what is not whole because it changed between two pages. */
  result(): { archive: AccountArchive; torn: string[] };
}

/** A gathering of what `first` begins; its links are left out, because they die within the hour. */
export function gatherPages(first: ExportPage): Gathering {
  const { formatVersion, exportedAt, account, workspaces } = first;
  const projects = new Map<ProjectId, ArchivedProject>();
  const gathering: Gathering = {
    add(page) {
      for (const part of page.projects) {
        projects.set(part.id, joined(projects.get(part.id), part));
      }
    },
    result() {
      const all = [...projects.values()];
      const torn = all.filter((project) => faultOf(project) !== undefined).map(({ id }) => id);
      return {
        archive: { formatVersion, exportedAt, account, workspaces, projects: all },
        torn,
      };
    },
  };
  gathering.add(first);
  return gathering;
}

/** What is told later counts: a project may have changed since. */
function joined(before: ArchivedProject | undefined, part: PagedProject): ArchivedProject {
  const versions = [...(before?.versions ?? [])];
  for (const { filesFrom, files, ...facts } of part.versions) {
    const own = files.map(({ path, size, hash }) => ({ path, size, hash }));
    const earlier = filesFrom === 0 ? undefined : versions.pop();
    versions.push({ ...facts, files: [...filesBefore(earlier, facts), ...own] });
  }
  return { ...part, versions };
}

/** Only of the same version: another one leaves a gap, which the hash tells. */
function filesBefore(
  earlier: ArchivedVersion | undefined,
  { version }: Pick<ArchivedVersion, 'version'>,
): ArchivedVersion['files'] {
  return earlier?.version === version ? earlier.files : [];
}

import type { AccountId, Instant, ProjectId } from '../../contract/fields.ts';
import type { Project, Version } from '../projects/project.ts';
import type { QuotaCharge } from '../projects/quota.ts';
import type { PeopleList } from '../people/people-list.ts';
import type { ServingRecord } from '../visit/serving-record.ts';
import type { ObjectFacts } from './exported-files.ts';

/**
 * Storage for imports. An import stays hidden until it is complete, and is then published in one
 * step.
 */
export interface ImportStore {
  find(projectId: ProjectId): Promise<ExistingProject | undefined>;
  /** Starts or continues the import of a project; false if the id is in use otherwise. */
  begin(start: ImportStart): Promise<boolean>;
  /** Adds a version, whose files are stored, to a started import. */
  addVersion(projectId: ProjectId, version: Version): Promise<void>;
  /** Publishes a started import. From then on it counts towards its owner's limits. */
  publish(publication: ImportPublication): Promise<PublicationOutcome>;
}

/** `isUnfinishedImport`: an import started this project and has not published it yet. */
export interface ExistingProject {
  project: Project;
  isUnfinishedImport: boolean;
}

/** The project to restore, and the time when the sweep removes it if it is not published. */
export interface ImportStart {
  project: Project;
  at: Instant;
  dueAt: Instant;
}

/** A project with its serving record. */
export interface ImportPublication {
  project: Project;
  site: ServingRecord;
  /** The list of people that the project's stamp names. */
  people: PeopleList | undefined;
  charge: QuotaCharge | undefined;
  at: Instant;
}

/** `lost`: the sweep removed it, or another import published it first. */
export type PublicationOutcome =
  | 'published'
  | 'slug-taken'
  | 'workspace-gone'
  | 'domain-not-ready'
  | 'account-suspended'
  | 'lost';

/** The file contents of an export. */
export interface ArchivedObjects {
  /** Whether a content exists and is complete and correct. */
  holds(object: ObjectFacts): Promise<boolean>;
  read(object: ObjectFacts): AsyncIterable<Uint8Array>;
}

/** The projects of an account, in an order that changes of a project do not affect. */
export interface OwnedListing {
  /** The oldest first, from this position on; includes archived projects. */
  oldestFirst(
    accountId: AccountId,
    from?: string,
  ): AsyncIterable<{ projectId: ProjectId; listedAt: string }>;
}

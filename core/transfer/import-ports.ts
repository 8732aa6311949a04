import type { Instant, ProjectId } from '../../contract/fields.ts';
import type { Project, Version } from '../projects/project.ts';
import type { Charge } from '../projects/quota.ts';
import type { ServingRecord } from '../visit/serving-record.ts';
import type { ObjectFacts } from './object-name.ts';

/**
 * Where an import puts a project: first out of everybody's sight, then, when all of it is there,
 * in one step in front of everybody.
 */
export interface ImportStore {
  /** What stands under the id, if anything. */
  find(projectId: ProjectId): Promise<Found | undefined>;
  /** Begins a project, or goes on with one; false when something else has its id. */
  begin(beginning: Beginning): Promise<boolean>;
  /** Adds a version, whose files are stored, to what was begun. */
  addVersion(projectId: ProjectId, version: Version): Promise<void>;
  /** Shows what was begun; it counts for its owner from then on. */
  show(showing: Showing): Promise<Shown>;
}

/** `isBegun` is true of what an import has not shown yet. */
export interface Found {
  project: Project;
  isBegun: boolean;
}

/** A project as it is to be, and when the sweep removes what is not shown by then. */
export interface Beginning {
  project: Project;
  at: Instant;
  dueAt: Instant;
}

/** A project with what visitors get of it. */
export interface Showing {
  project: Project;
  site: ServingRecord;
  charge: Charge | undefined;
  at: Instant;
}

/** `lost` when it was swept, or another import was faster. */
export type Shown = 'shown' | 'slug-taken' | 'workspace-gone' | 'account-suspended' | 'lost';

/** Contents of an export. */
export interface ArchivedObjects {
  /** Whether a content is there, whole and right. */
  holds(object: ObjectFacts): Promise<boolean>;
  read(object: ObjectFacts): AsyncIterable<Uint8Array>;
}

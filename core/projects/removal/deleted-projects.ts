import type { AccountId, Instant, ProjectId } from '../../../contract/fields.ts';
import type { Project } from '../project.ts';

/** A deleted project while its files are kept. */
export interface DeletedProject {
  project: Project;
  /** From then on its rows and files go for good. */
  keptUntil: Instant;
}

/** Where an operator finds projects that their owners deleted. */
export interface DeletedProjects {
  /** `undefined` for a project that is not deleted, or that is gone. */
  get(projectId: ProjectId): Promise<DeletedProject | undefined>;
  /** Those of an account, the last deleted first. */
  of(accountId: AccountId): Promise<DeletedProject[]>;
}

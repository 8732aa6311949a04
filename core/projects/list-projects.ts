import type { AccountCaller } from '../caller.ts';
import type { Addresses } from './addresses/addresses.ts';
import type { OwnedProjectStore, ProjectQuery } from './owned-projects.ts';
import { viewProject } from './project-view.ts';

/** What listing projects needs. */
export interface ListProjectsDeps {
  owned: Pick<OwnedProjectStore, 'list'>;
  addresses: Addresses;
  now(): Date;
}

/** A page of the caller's projects, newest first; expired ones are among them. */
export async function listProjects(
  deps: ListProjectsDeps,
  caller: AccountCaller,
  input: Omit<ProjectQuery, 'accountId'>,
) {
  const { limit, offset } = input;
  const projects = await deps.owned.list({ ...input, accountId: caller.account.id });
  const now = deps.now();
  return {
    projects: projects.map((project) => viewProject(project, deps.addresses, now)),
    limit,
    offset,
  };
}

import type { AccountCaller } from '../caller.ts';
import { CodedError } from '../errors.ts';
import type { ProjectStore } from '../ports.ts';
import { requireOwnedProject } from '../projects/owned-projects.ts';
import { VisitorId, type VisitorStore } from './visitor.ts';

/** The dependencies for managing who proved an address to a project. */
export interface ManageVisitorsDeps {
  projects: Pick<ProjectStore, 'get'>;
  visitors: Pick<VisitorStore, 'list' | 'remove'>;
  now(): Date;
}

/** A list is read at once. */
const maxListed = 1000;

/**
 * Who has proved an address in the last 30 days, the latest first.
 * @throws CodedError NOT_FOUND
 */
export async function listVisitors(
  deps: ManageVisitorsDeps,
  caller: AccountCaller,
  input: { projectId: string },
) {
  const { id: projectId } = await requireOwnedProject(deps.projects, caller, input.projectId);
  const found = await deps.visitors.list(projectId, deps.now());
  const visitors = found
    .slice(0, maxListed)
    .map(({ id, email, createdAt: since, provedAt: lastProvedAt, expiresAt }) => {
      return { id, email, since, lastProvedAt, expiresAt };
    });
  return { visitors, more: found.length > maxListed };
}

/**
 * Ends the access of somebody in all browsers; the next request with a cookie of theirs is refused.
 * @throws CodedError NOT_FOUND
 */
export async function deleteVisitor(
  deps: ManageVisitorsDeps,
  caller: AccountCaller,
  { projectId, visitorId }: { projectId: string; visitorId: string },
) {
  const project = await requireOwnedProject(deps.projects, caller, projectId);
  const { data: id } = VisitorId.safeParse(visitorId);
  if (id === undefined || !(await deps.visitors.remove(project.id, id))) {
    throw new CodedError('NOT_FOUND', {
      error: 'This project has no visitor with this id.',
      nextStep: 'List them with GET /v1/projects/{projectId}/visitors.',
    });
  }
  return { deleted: true as const };
}

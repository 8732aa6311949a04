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

/**
 * A page of those who have proved an address in the last 30 days. Rows are read in the order of ids, which are
 * hashes, so only within a page the latest is first.
 * @throws CodedError NOT_FOUND
 */
export async function listVisitors(
  deps: ManageVisitorsDeps,
  caller: AccountCaller,
  input: { projectId: string; limit: number; cursor?: string | undefined },
) {
  const { id: projectId } = await requireOwnedProject(deps.projects, caller, input.projectId);
  const after = input.cursor === undefined ? undefined : VisitorId.parse(input.cursor);
  const page = { after, limit: input.limit, now: deps.now() };
  const { visitors: found, next } = await deps.visitors.list(projectId, page);
  const visitors = found
    .toSorted((a, b) => (a.provedAt < b.provedAt ? 1 : -1))
    .map(({ id, email, createdAt: since, provedAt: lastProvedAt, expiresAt }) => {
      return { id, email, since, lastProvedAt, expiresAt };
    });
  return { visitors, nextCursor: next ?? null };
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

import { createHash } from 'node:crypto';
import { ProjectId } from '../../../contract/fields.ts';
import { idempotencyKeptSeconds } from '../../../contract/limits.ts';
import type { AccountCaller } from '../../caller.ts';
import { leaseSeconds } from '../../idempotency/response-store.ts';
import { instant, plusSeconds } from '../../instants.ts';
import { type GetProjectDeps, getProject } from '../project-view.ts';
import { newProjectId } from './first-version.ts';

/**
 * The project that a call makes, or that it made before it crashed. The id is derived from the
 * call, so a repeated call whose first response was lost finds the project and makes no second one.
 * A project that is older than idempotency keys are kept belongs to an earlier call.
 */
export async function projectOfCall(deps: GetProjectDeps, caller: AccountCaller, callId: string) {
  const projectId = projectIdOf(callId);
  const found = await deps.projects.get(projectId);
  if (found === undefined) return { projectId };
  const oldest = instant(plusSeconds(deps.now(), leaseSeconds - idempotencyKeptSeconds));
  const isOfThisCall = found.ownerId === caller.account.id && found.removingAt === null;
  if (!isOfThisCall || found.createdAt < oldest) return { projectId: newProjectId() };
  const { id, ...facts } = await getProject(deps, caller, { projectId });
  return { projectId, project: { ...facts, projectId: id } };
}

/** A UUID of version 8, which leaves its bits to the application (RFC 9562 §5.8). */
function projectIdOf(callId: string): ProjectId {
  const hex = createHash('sha256').update(callId).digest('hex');
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return ProjectId.parse(parts.join('-'));
}

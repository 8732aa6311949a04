import { instant } from '../../instants.ts';
import { type OperateDeps, operateOn, projectAt } from './operate.ts';
import type { Project } from '../project.ts';

/**
 * Keeps a project from everybody, from the next request on; its owner reads why. Done again, it
 * changes the reason.
 * @param target a project's id, or a host
 * @throws OperatorError
 */
export async function takeDown(
  deps: OperateDeps,
  { target, reason }: { target: string; reason: string },
): Promise<Project> {
  return operateOn(deps, await projectAt(deps, target), (_, now) => ({
    takedown: { reason, at: instant(now) },
  }));
}

/**
 * Takes that back.
 * @throws OperatorError
 */
export async function release(deps: OperateDeps, { target }: { target: string }): Promise<Project> {
  return operateOn(deps, await projectAt(deps, target), ({ takedown }) =>
    takedown === null ? undefined : { takedown: null },
  );
}

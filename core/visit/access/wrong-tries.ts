import * as z from 'zod';
import { AccountId, Instant, ProjectId } from '../../../contract/fields.ts';
import { instant } from '../../instants.ts';
import type { ServingRecord } from '../serving-record.ts';

/** Tries of passwords that did not open a project, as they are counted. */
export interface WrongTryCount {
  tries: number;
  /** When the first of them came. */
  since: Date;
  /** When the owner was last told. */
  alertedAt: Date | undefined;
}

/** Where wrong tries are counted, one row for a project; exact when many come at once. */
export interface WrongTries {
  /** Counts one more. */
  count(projectId: ProjectId, now: Date): Promise<WrongTryCount>;
  /** Begins to count anew, from `next`; false when somebody else has done so. */
  restart(projectId: ProjectId, seen: WrongTryCount, next: WrongTryCount): Promise<boolean>;
}

/** That an owner is to be told by mail; as it waits in the queue of hits. */
export const PasswordAlert = z.object({
  kind: z.literal('password-alert'),
  projectId: ProjectId,
  ownerId: AccountId,
  /** When the first of the wrong tries came, and when the one that was too many did. */
  since: Instant,
  at: Instant,
});
export type PasswordAlert = z.infer<typeof PasswordAlert>;

/** Where alerts wait to be sent. */
export interface PasswordAlerts {
  send(alert: PasswordAlert): Promise<void>;
}

/** What telling owners of wrong tries needs. */
export interface WrongTryDeps {
  wrongTries: WrongTries;
  alerts: PasswordAlerts;
  /** Until when nothing more is counted of a project, as this process knows. */
  quietUntil: Map<ProjectId, Date>;
}

/** An owner hears of more than so many. */
const alertAbove = 100;
/** Tries are counted together for so long: a slow attack has to be heard of as well. */
const countedMs = 30 * 86_400_000;
/** At most one mail for a project in any of these. */
const pauseMs = 86_400_000;
const rememberedProjects = 1000;

/**
 * Counts a try that was wrong, or that was refused before it was compared, and has the owner told
 * of more than a hundred, at most once a day for a project.
 *
 * While no mail may be sent nothing is counted either, so that a flood of tries is no flood of writes.
 */
export async function noteWrongTry(
  deps: WrongTryDeps,
  { projectId, ownerId }: Pick<ServingRecord, 'projectId' | 'ownerId'>,
  now: Date,
): Promise<void> {
  if (ownerId === null || isQuiet(deps, projectId, now)) return;
  const count = await deps.wrongTries.count(projectId, now);
  if (now.getTime() - count.since.getTime() > countedMs) {
    await deps.wrongTries.restart(projectId, count, { ...count, tries: 1, since: now });
    return;
  }
  if (count.tries <= alertAbove) return;
  const pausedUntil = (count.alertedAt?.getTime() ?? Number.NEGATIVE_INFINITY) + pauseMs;
  if (pausedUntil > now.getTime()) {
    quieten(deps, projectId, new Date(pausedUntil));
    return;
  }
  const next = { tries: 0, since: now, alertedAt: now };
  if (!(await deps.wrongTries.restart(projectId, count, next))) return;
  const alert = { projectId, ownerId, since: instant(count.since), at: instant(now) };
  try {
    await deps.alerts.send({ kind: 'password-alert', ...alert });
  } catch (error) {
    // The next wrong try sends it.
    await deps.wrongTries.restart(projectId, next, count);
    throw error;
  }
}

function isQuiet({ quietUntil }: WrongTryDeps, projectId: ProjectId, now: Date): boolean {
  const until = quietUntil.get(projectId);
  return until !== undefined && until > now;
}

function quieten({ quietUntil }: WrongTryDeps, projectId: ProjectId, until: Date): void {
  quietUntil.set(projectId, until);
  for (const oldest of quietUntil.keys()) {
    if (quietUntil.size <= rememberedProjects) return;
    quietUntil.delete(oldest);
  }
}

import type { Instant } from '../../../contract/fields.ts';
import { instant, plusSeconds } from '../../instants.ts';
import { mediaLinkSeconds, straggleMs } from '../../visit/protocol/cache-policy.ts';
import { maxInlineBytes } from '../../visit/decide-visit.ts';
import type { Project } from '../project.ts';

/** Longer than any gate takes that read the old state and may still let the edge keep an answer. */
const straggleSeconds = 60;

/** When the edge is to be told to forget what it keeps of a project that changes now. */
export function purgeDueAt(now: Date): Instant {
  return instant(plusSeconds(now, straggleSeconds));
}

/**
 * Milliseconds until nothing from before a change is on its way any more: answers that the edge
 * may keep and, where the change keeps visitors out, links to large files, which need no further
 * decision. `after` is undefined where the project is removed.
 */
export function settleMs(before: Project | undefined, after: Project | undefined): number {
  const mayHaveLinks = before !== undefined && before.bytes > maxInlineBytes;
  return mayHaveLinks && keepsOut(before, after) ? mediaLinkSeconds * 1000 : straggleMs;
}

/** Whether somebody who could view a project before cannot any more. */
function keepsOut(before: Project, after: Project | undefined): boolean {
  if (after === undefined) return true;
  const isWithheld = ({ takedown, suspendedAt }: Pick<Project, 'takedown' | 'suspendedAt'>) =>
    takedown !== null || suspendedAt !== null;
  const doors = ({ status, access, passwordHash, host, expiresAt, archivedAt, ...rest }: Project) =>
    [status, access, passwordHash, host, expiresAt, archivedAt, isWithheld(rest)].join();
  return doors(before) !== doors(after);
}

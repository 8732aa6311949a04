import type { AccountId, Instant } from '../../contract/fields.ts';
import { instant } from '../instants.ts';
import type { Project } from './project.ts';
import { purgeDueAt } from './purge.ts';

/** The first step of a removal, as it is to be written. */
export interface Removal {
  project: Project;
  at: Instant;
  /** True where only a project whose time is over may be taken. */
  onlyIfDue: boolean;
  /** What the owner gets back; nobody where it did not count. */
  release: { accountId: AccountId; bytes: number } | undefined;
  /** When the edge is told a second time to forget it. */
  purgeAt: Instant | undefined;
}

/** A removal that the owner asked for: at once, and the edge forgets it twice. */
export function removalOnRequest(project: Project, now: Date): Removal {
  const release = releaseOf(project);
  return { project, at: instant(now), onlyIfDue: false, release, purgeAt: purgeDueAt(now) };
}

/** The removal of a project whose time is over: no edge keeps anything past that. */
export function removalWhenDue(project: Project, now: Date): Removal {
  const release = releaseOf(project);
  return { project, at: instant(now), onlyIfDue: true, release, purgeAt: undefined };
}

/** Only active projects of an account count; expired ones do until they are removed. */
function releaseOf({ ownerId, archivedAt, bytes }: Project): Removal['release'] {
  return ownerId === null || archivedAt !== null ? undefined : { accountId: ownerId, bytes };
}

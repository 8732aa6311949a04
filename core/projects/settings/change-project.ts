import { setTimeout } from 'node:timers/promises';
import type { Slug } from '../../../contract/fields.ts';
import type { PlanLimits } from '../../../contract/plans.ts';
import type { Plans } from '../../accounts/account.ts';
import { accountSuspended } from '../../accounts/suspension.ts';
import type { AccountCaller } from '../../caller.ts';
import { CodedError } from '../../errors.ts';
import type { EdgeCache, ProjectStore } from '../../ports.ts';
import { reservedDays } from '../addresses/address.ts';
import { type Change, type Changed, changeOf, type Next } from './change.ts';
import { isWritten } from '../publishing/is-written.ts';
import { ownedProject } from '../owned-project.ts';
import type { OwnedProjectStore } from '../owned-projects.ts';
import type { Project, Version } from '../project.ts';
import { settleMs } from '../removal/purge.ts';
import { limitsOf, overQuota } from '../quota.ts';
import { isTemporarySlug } from '../addresses/slugs.ts';

/** What changing a project needs. */
export interface ChangeProjectDeps {
  projects: Pick<ProjectStore, 'get' | 'version'>;
  owned: Pick<OwnedProjectStore, 'change'>;
  edge: EdgeCache;
  plans: Plans;
  /** Told of what maintenance has to finish. */
  onFailure(item: unknown, error: unknown): void;
  now(): Date;
}

/** A project as a change meets it. */
export interface Met {
  project: Project;
  live: Version;
  limits: PlanLimits;
  now: Date;
}

/** Each try loses only to another change of the same project; agents send a file each, all at once. */
const tries = 30;
/** At most; on average the half of it. */
const pauseMs = { first: 50, longest: 1000 };

/**
 * Changes the caller's project to what `next` makes of it, over whatever state it is in when it
 * is written; `next` may be asked again. Without a next state nothing is written.
 * @throws CodedError NOT_FOUND, UPLOAD_INCOMPLETE, SLUG_TAKEN, PROJECT_LIMIT_REACHED, STORAGE_LIMIT_REACHED; what `next` throws
 */
export async function changeProject(
  deps: ChangeProjectDeps,
  caller: AccountCaller,
  projectId: string,
  next: (met: Met) => Promise<Omit<Next, 'limits'> | undefined> | Omit<Next, 'limits'> | undefined,
): Promise<Project> {
  for (let count = 1; count <= tries; count += 1) {
    const met = await meet(deps, caller, projectId);
    const { project, limits, now } = met;
    const wanted = await next(met);
    if (wanted === undefined) return project;
    const change = changeOf(project, { limits, ...wanted }, now);
    const outcome = await deps.owned.change(change).catch(async (error: unknown) => {
      if (await isWritten(deps.projects, change.after)) return 'changed' as const;
      throw error;
    });
    if (outcome === 'lost') {
      await pause(count);
      continue;
    }
    requireChanged(change, outcome);
    if (change.purgeAt !== undefined) await forgetNow(deps, change);
    return change.after;
  }
  throw new Error(`a project changed ${tries} times while it was to be changed`);
}

/** Of many at once, all but one lose; who tries again at the same moment loses again. */
async function pause(lost: number): Promise<void> {
  const longest = Math.min(pauseMs.longest, pauseMs.first * 2 ** (lost - 1));
  await setTimeout(Math.random() * longest);
}

/** The caller's project with its live version. */
async function meet(deps: ChangeProjectDeps, caller: AccountCaller, id: string): Promise<Met> {
  const project = await ownedProject(deps.projects, caller, id);
  const live = await deps.projects.version(project.id, project.version);
  const now = deps.now();
  const limits = limitsOf(deps.plans, caller.account, now);
  if (live !== undefined) return { project, live, limits, now };
  if (project.version > 0) return meet(deps, caller, id);
  throw new CodedError('UPLOAD_INCOMPLETE', {
    error: 'The first upload of this project is not published yet.',
    nextStep: 'Wait until GET /v1/projects/{projectId} shows another status than `uploading`.',
  });
}

/**
 * Refuses what a change met.
 * @throws CodedError SLUG_TAKEN, NOT_FOUND, PROJECT_LIMIT_REACHED, STORAGE_LIMIT_REACHED, ACCOUNT_SUSPENDED
 */
export function requireChanged({ after, charge }: Change, outcome: Exclude<Changed, 'lost'>): void {
  if (outcome === 'changed') return;
  if (outcome === 'slug-taken') throw slugTaken(after.slug);
  if (outcome === 'slug-reserved') throw slugReserved(after.slug);
  if (outcome === 'account-state') throw accountSuspended();
  if (outcome === 'workspace-gone') throw notYours('workspaceId', 'workspace');
  if (outcome === 'intent-gone') throw new Error('storing took longer than its intent lives');
  const refusal = charge === undefined ? undefined : overQuota(charge, outcome.refused);
  throw refusal ?? new Error('refused a change that the sums allow');
}

/** A failure is no failure of the change: the edge is told once more in a minute. */
export async function forgetNow(
  deps: Pick<ChangeProjectDeps, 'edge' | 'onFailure'>,
  { before, after }: Pick<Change, 'before' | 'after'>,
): Promise<void> {
  const { id } = after;
  try {
    await deps.edge.forgetStragglers(id, settleMs(before, after));
  } catch (error) {
    deps.onFailure({ kind: 'purge', projectId: id }, error);
  }
}

/** The address is somebody's. */
export function slugTaken(slug: Slug | string): CodedError {
  return new CodedError('SLUG_TAKEN', { error: `The address is taken: ${slug}.` });
}

/** Nobody is there, but the address is not for this account. */
export function slugReserved(slug: Slug): CodedError {
  if (isTemporarySlug(slug)) {
    return new CodedError('SLUG_TAKEN', {
      error: `The address has the form of a temporary one, which is only given out at random: ${slug}.`,
      nextStep: 'Choose a `slug` of another form, or leave it out to get one.',
    });
  }
  return new CodedError('SLUG_TAKEN', {
    error: `The address is reserved for ${reservedDays} days for the account that left it: ${slug}.`,
    nextStep:
      'Choose another `slug`, or leave it out to get one. If that account is yours, sign in with it and use the address there.',
  });
}

/** An id in a field that names nothing of the caller's. */
export function notYours(field: string, what: string): CodedError {
  return new CodedError('NOT_FOUND', { error: `${field}: you have no ${what} with this id.` });
}

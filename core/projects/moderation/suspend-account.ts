import { setTimeout } from 'node:timers/promises';
import type { AccountId, Instant, ProjectId } from '../../../contract/fields.ts';
import type { Account } from '../../accounts/account.ts';
import type { AccountAdmin, AccountStore } from '../../accounts/ports.ts';
import type { AccountState } from '../../accounts/suspension.ts';
import { instant } from '../../instants.ts';
import type { NextProjectState } from '../change/project-change.ts';
import { type OperatorDeps, OperatorError, changeAsOperator } from './operator-change.ts';
import type { OwnedProjectStore } from '../owned-projects.ts';
import type { Project } from '../project.ts';
import { workPool } from '../publishing/work-pool.ts';
import { newToken } from '../../secret-text.ts';

/** The dependencies of a change of all projects of an account. */
export interface AllProjectsDeps extends Omit<OperatorDeps, 'sites' | 'roots' | 'owned'> {
  accounts: Pick<AccountStore, 'get'>;
  owned: Pick<OwnedProjectStore, 'change' | 'scan'>;
}

/** Dependencies of {@link suspendAccount}. */
export interface SuspendDeps extends AllProjectsDeps {
  accounts: Pick<AccountStore, 'get' | 'closeAgain'>;
  admin: Pick<AccountAdmin, 'beginSuspension' | 'beginLifting' | 'endSuspension'>;
}

/**
 * Blocks an account and all its projects. Nothing is deleted: the lifetimes of its projects and its
 * trial are paused until the suspension is lifted.
 *
 * The account's own row is written first. From then on no request of the account can write, so no
 * project is missed afterwards. A second call continues an interrupted one.
 * @throws OperatorError
 */
export async function suspendAccount(
  deps: SuspendDeps,
  accountId: AccountId,
  reason?: string,
): Promise<Account> {
  await deps.admin.beginSuspension(accountId, instant(deps.now()), reason);
  const account = await requireAccount(deps, accountId);
  const { suspendedAt = null } = account;
  await changeAllProjects(deps, accountId, {
    expects: 'suspended',
    next: (project) => (project.suspendedAt === null ? { suspendedAt } : undefined),
  });
  return account;
}

/**
 * Lifts a suspension and restores the earlier state: the projects first, the account last. An account that its owner
 * had deleted is deleted again, with 30 days from now in which a sign-in restores it.
 * @throws OperatorError
 */
export async function unsuspendAccount(deps: SuspendDeps, accountId: AccountId): Promise<Account> {
  const liftingAt = instant(deps.now());
  if (!(await deps.admin.beginLifting(accountId, liftingAt))) {
    await deps.accounts.closeAgain(accountId, { at: liftingAt, stopToken: newToken() });
    return requireAccount(deps, accountId);
  }
  await changeAllProjects(deps, accountId, {
    expects: 'lifting',
    next: (project) => resumedFields(project, liftingAt),
  });
  const { suspendedAt = liftingAt, trialEndsAt } = await requireAccount(deps, accountId);
  const isTrialLeft = trialEndsAt !== null && trialEndsAt > suspendedAt;
  const trialEnd = isTrialLeft ? postpone(trialEndsAt, suspendedAt, liftingAt) : null;
  if (!(await deps.admin.endSuspension(accountId, liftingAt, trialEnd))) {
    throw new OperatorError(
      'Another operator suspended this account in the meantime. It stays suspended.',
    );
  }
  return requireAccount(deps, accountId);
}

/**
 * The fields of a project after the suspension. It has as much lifetime left as before the
 * suspension.
 */
export function resumedFields(
  { suspendedAt, expiresAt }: Project,
  liftingAt: Instant,
): NextProjectState['fields'] | undefined {
  if (suspendedAt === null) return undefined;
  const isEnding = expiresAt !== null;
  return {
    suspendedAt: null,
    ...(isEnding && { expiresAt: postpone(expiresAt, suspendedAt, liftingAt) }),
  };
}

/** `at` plus the time between `from` and `to`. */
function postpone(at: Instant, from: Instant, to: Instant): Instant {
  return instant(new Date(Date.parse(at) + Date.parse(to) - Date.parse(from)));
}

async function requireAccount(
  { accounts }: Pick<AllProjectsDeps, 'accounts'>,
  accountId: AccountId,
): Promise<Account> {
  const account = await accounts.get(accountId);
  if (account === undefined)
    throw new OperatorError(`There is no account ${accountId}.`, 'missing');
  return account;
}

/** A change of every project of an account, as long as the account has the expected state. */
interface AccountWideChange {
  expects: AccountState;
  next: (project: Project) => NextProjectState['fields'] | undefined;
  /** No other project is changed once this is true. */
  isLate?: () => boolean;
}

const pageSize = 100;
/** Each spends most of its time waiting for the edge. */
const maxParallelChanges = 10;
/** The list is eventually consistent. */
const passes = { most: 30, pauseMs: 1000 };

/**
 * Changes every project, and repeats until it found as many as the account's own row counts: a new
 * project may not be listed yet. False if it became late: then a second call changes the rest.
 */
export async function changeAllProjects(
  deps: AllProjectsDeps,
  accountId: AccountId,
  change: AccountWideChange,
): Promise<boolean> {
  for (let pass = 1; pass <= passes.most; pass += 1) {
    if (pass > 1) await setTimeout(passes.pauseMs);
    const active = await changeListedProjects(deps, accountId, change);
    if (change.isLate?.() === true) return false;
    const { projectCount } = await requireAccount(deps, accountId);
    if (active >= projectCount) return true;
  }
  throw new OperatorError('Not all projects of this account are listed yet. Run this again.');
}

/**
 * One pass over all listed projects, first over those that visitors may see. Returns how many are active, according
 * to their own rows.
 */
async function changeListedProjects(
  deps: AllProjectsDeps,
  accountId: AccountId,
  change: AccountWideChange,
): Promise<number> {
  const active = new Set<ProjectId>();
  const changing = workPool({ count: maxParallelChanges, bytes: 0 });
  for (const state of ['active', 'archived'] as const) {
    const query = { accountId, state, isNewestFirst: true, after: undefined, pageSize };
    for await (const projects of deps.owned.scan(query)) {
      for (const { id } of projects) {
        await changing.add(0, async () => {
          if (change.isLate?.() === true) return;
          const project = await changeListedProject(deps, id, change);
          if (project?.archivedAt === null) active.add(id);
        });
      }
    }
  }
  await changing.settled();
  return active.size;
}

/** The changed project; undefined for one that was deleted in the meantime. */
async function changeListedProject(
  deps: AllProjectsDeps,
  id: ProjectId,
  { next, expects }: AccountWideChange,
): Promise<Project | undefined> {
  const exists = async () => (await deps.projects.get(id))?.removingAt === null;
  if (!(await exists())) return undefined;
  try {
    return await changeAsOperator(deps, id, next, expects);
  } catch (error) {
    if (!(error instanceof OperatorError) || (await exists())) throw error;
    return undefined;
  }
}

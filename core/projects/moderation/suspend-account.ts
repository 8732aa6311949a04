import { setTimeout } from 'node:timers/promises';
import type { AccountId, Instant, ProjectId } from '../../../contract/fields.ts';
import type { Account } from '../../accounts/account.ts';
import type { AccountAdmin } from '../../accounts/admin-ports.ts';
import type { AccountStore } from '../../accounts/ports.ts';
import type { AccountState } from '../../accounts/suspension.ts';
import { instant } from '../../instants.ts';
import type { Next } from '../settings/change.ts';
import { type OperateDeps, OperatorError, operateOn } from './operate.ts';
import type { OwnedProjectStore } from '../owned-projects.ts';
import type { Project } from '../project.ts';
import { workPool } from '../publishing/work-pool.ts';

/** What suspending an account needs. */
export interface SuspendDeps extends Omit<OperateDeps, 'sites' | 'owned'> {
  accounts: Pick<AccountStore, 'get'>;
  admin: Pick<AccountAdmin, 'beginSuspension' | 'beginLifting' | 'endSuspension'>;
  owned: Pick<OwnedProjectStore, 'change' | 'list'>;
}

/**
 * Keeps an account from everything, and everybody from its projects. Nothing is lost by it: until it
 * is lifted the time of its projects and of its trial stands still.
 *
 * The account's own row comes first. From then on nobody who acts in its name gets anything written,
 * so that the projects which are withheld after it are all that there are. Done again, it goes on
 * where it was interrupted.
 * @throws OperatorError
 */
export async function suspendAccount(deps: SuspendDeps, accountId: AccountId): Promise<Account> {
  await deps.admin.beginSuspension(accountId, instant(deps.now()));
  const account = await existing(deps, accountId);
  const { suspendedAt = null } = account;
  await changeAll(deps, accountId, {
    expects: 'suspended',
    next: (project) => (project.suspendedAt === null ? { suspendedAt } : undefined),
  });
  return account;
}

/**
 * Brings a suspended account back as it was: the account last, when all of its projects are.
 * @throws OperatorError
 */
export async function unsuspendAccount(deps: SuspendDeps, accountId: AccountId): Promise<Account> {
  const liftingAt = instant(deps.now());
  if (!(await deps.admin.beginLifting(accountId, liftingAt))) return existing(deps, accountId);
  await changeAll(deps, accountId, {
    expects: 'lifting',
    next: (project) => backAgain(project, liftingAt),
  });
  const { suspendedAt = liftingAt, trialEndsAt } = await existing(deps, accountId);
  const isTrialLeft = trialEndsAt !== null && trialEndsAt > suspendedAt;
  const trialEnd = isTrialLeft ? later(trialEndsAt, suspendedAt, liftingAt) : null;
  if (!(await deps.admin.endSuspension(accountId, liftingAt, trialEnd))) {
    throw new OperatorError('Somebody else suspended this account meanwhile, and it stays so.');
  }
  return existing(deps, accountId);
}

/** A project once its account is back; what had a time to live has as much of it left as before. */
function backAgain(
  { suspendedAt, expiresAt }: Project,
  liftingAt: Instant,
): Next['fields'] | undefined {
  if (suspendedAt === null) return undefined;
  const isEnding = expiresAt !== null;
  return {
    suspendedAt: null,
    ...(isEnding && { expiresAt: later(expiresAt, suspendedAt, liftingAt) }),
  };
}

/** An instant moved on by the time between two others. */
function later(at: Instant, from: Instant, to: Instant): Instant {
  return instant(new Date(Date.parse(at) + Date.parse(to) - Date.parse(from)));
}

async function existing(
  { accounts }: Pick<SuspendDeps, 'accounts'>,
  accountId: AccountId,
): Promise<Account> {
  const account = await accounts.get(accountId);
  if (account === undefined) throw new OperatorError(`There is no account ${accountId}.`);
  return account;
}

/** What becomes of every project of an account, while that stands as expected. */
interface ChangeOfAll {
  expects: AccountState;
  next: (project: Project) => Next['fields'] | undefined;
}

const pageSize = 100;
/** Each waits for the edge, most of its time. */
const changedAtOnce = 10;
/** The list follows the table within moments. */
const passes = { most: 30, pauseMs: 1000 };

/**
 * Changes every project, and looks again until it has met as many as the account's own row counts:
 * one that was published a moment before may not be listed yet.
 */
async function changeAll(
  deps: SuspendDeps,
  accountId: AccountId,
  change: ChangeOfAll,
): Promise<void> {
  for (let pass = 1; pass <= passes.most; pass += 1) {
    if (pass > 1) await setTimeout(passes.pauseMs);
    const active = await changeListed(deps, accountId, change);
    const { projectCount } = await existing(deps, accountId);
    if (active >= projectCount) return;
  }
  throw new OperatorError('Not all projects of this account are listed yet. Run this again.');
}

/** One pass over all that is listed; how many of them are active, by their own rows. */
async function changeListed(
  deps: SuspendDeps,
  accountId: AccountId,
  change: ChangeOfAll,
): Promise<number> {
  const active = new Set<ProjectId>();
  const changing = workPool({ count: changedAtOnce, bytes: 0 });
  for (let offset = 0; ; offset += pageSize) {
    const query = { accountId, archived: 'all', limit: pageSize, offset } as const;
    const projects = await deps.owned.list(query);
    for (const { id } of projects) {
      await changing.add(0, async () => {
        const project = await changeOne(deps, id, change);
        if (project?.archivedAt === null) active.add(id);
      });
    }
    if (projects.length < pageSize) break;
  }
  await changing.settled();
  return active.size;
}

/** The project as it is then; undefined for one that was deleted meanwhile: nobody gets to it anyway. */
async function changeOne(
  deps: SuspendDeps,
  id: ProjectId,
  { next, expects }: ChangeOfAll,
): Promise<Project | undefined> {
  const isThere = async () => (await deps.projects.get(id))?.removingAt === null;
  if (!(await isThere())) return undefined;
  try {
    return await operateOn(deps, id, next, expects);
  } catch (error) {
    if (!(error instanceof OperatorError) || (await isThere())) throw error;
    return undefined;
  }
}

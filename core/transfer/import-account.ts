import { randomUUID } from 'node:crypto';
import type { AccountArchive } from '../../contract/account-export.ts';
import { AccountId } from '../../contract/fields.ts';
import type { Account } from '../accounts/account.ts';
import { normaliseEmail } from '../accounts/email.ts';
import type { AccountStore } from '../accounts/ports.ts';
import type { WorkspaceStore } from '../workspaces/ports.ts';
import { type Imported, type ImportProjectDeps, importProject } from './import-project.ts';

/** What restoring an account needs. */
export interface ImportAccountDeps extends ImportProjectDeps {
  accounts: Pick<AccountStore, 'findByEmail' | 'create'>;
  workspaces: Pick<WorkspaceStore, 'list' | 'createWithin'>;
  /** Told of each project when it is done. */
  report(project: { id: string; slug: string; title: string }, imported: Imported): void;
}

/** How an import ended. */
export interface ImportSummary {
  account: Account;
  isNew: boolean;
  restored: number;
  same: number;
  refused: number;
}

/**
 * Restores an export: the account where there is none, then project after project. What cannot be
 * restored is told and left out; the same call again does the rest and changes nothing else.
 * @param email whose account it is to be; as exported where nothing is said
 */
export async function importAccount(
  deps: ImportAccountDeps,
  archive: AccountArchive,
  email = archive.account.email,
): Promise<ImportSummary> {
  const { account, isNew } = await accountFor(deps, archive, normaliseEmail(email));
  await restoreWorkspaces(deps.workspaces, account.id, archive);
  const summary = { account, isNew, restored: 0, same: 0, refused: 0 };
  const workspaceIds = new Set(archive.workspaces.map(({ id }) => id));
  for (const exported of archive.projects) {
    const { workspaceId } = exported;
    const isGone = workspaceId !== null && !workspaceIds.has(workspaceId);
    // Its workspace was being deleted when it was exported.
    const project = isGone ? { ...exported, workspaceId: null } : exported;
    const imported = await importProject(deps, account.id, project);
    summary[typeof imported === 'string' ? imported : 'refused'] += 1;
    deps.report(project, imported);
  }
  return summary;
}

/** An account that is there keeps its plan: an import changes nothing that somebody pays for. */
async function accountFor(
  { accounts }: ImportAccountDeps,
  { account: { tier, trialEndsAt, createdAt } }: AccountArchive,
  email: string,
): Promise<{ account: Account; isNew: boolean }> {
  const existing = await accounts.findByEmail(email);
  if (existing !== undefined) return { account: existing, isNew: false };
  const id = AccountId.parse(randomUUID());
  const sums = { projectCount: 0, storageBytes: 0 };
  const account = await accounts.create({ id, email, tier, trialEndsAt, ...sums, createdAt });
  return { account, isNew: account.id === id };
}

/** No plan limits an import. */
const maxWorkspaces = Number.MAX_SAFE_INTEGER;

/** What is there stays as it is called. */
async function restoreWorkspaces(
  workspaces: ImportAccountDeps['workspaces'],
  accountId: AccountId,
  archive: AccountArchive,
): Promise<void> {
  if (archive.workspaces.length === 0) return;
  const own = new Set((await workspaces.list(accountId)).map(({ id }) => id));
  for (const workspace of archive.workspaces.filter(({ id }) => !own.has(id))) {
    const empty = { ...workspace, projectCount: 0, deletingAt: null };
    await workspaces.createWithin(maxWorkspaces, accountId, empty);
  }
}

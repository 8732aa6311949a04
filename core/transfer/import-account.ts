import { randomUUID } from 'node:crypto';
import type { AccountExport } from '../../contract/account-export.ts';
import { AccountId } from '../../contract/fields.ts';
import type { Account } from '../accounts/account.ts';
import { normaliseEmail } from '../accounts/email.ts';
import type { AccountStore } from '../accounts/ports.ts';
import type { WorkspaceStore } from '../workspaces/ports.ts';
import { type ImportOutcome, type ImportProjectDeps, importProject } from './import-project.ts';

/** The dependencies for restoring an account. */
export interface ImportAccountDeps extends ImportProjectDeps {
  accounts: Pick<AccountStore, 'findByEmail' | 'create'>;
  workspaces: Pick<WorkspaceStore, 'list' | 'createWithinLimit'>;
  /** Called when a project is done. */
  report(project: { id: string; slug: string; title: string }, imported: ImportOutcome): void;
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
 * Restores an export: creates the account if it does not exist, then restores one project after
 * another. Reports and skips what it cannot restore. Repeating the call restores only what is
 * missing.
 * @param email the address of the target account; default: the exported one
 */
export async function importAccount(
  deps: ImportAccountDeps,
  archive: AccountExport,
  email = archive.account.email,
): Promise<ImportSummary> {
  const { account, isNew } = await accountFor(deps, archive, normaliseEmail(email));
  await restoreWorkspaces(deps.workspaces, account.id, archive);
  const summary = { account, isNew, restored: 0, same: 0, refused: 0 };
  const workspaceIds = new Set(archive.workspaces.map(({ id }) => id));
  for (const exported of archive.projects) {
    const { workspaceId } = exported;
    const isGone = workspaceId !== null && !workspaceIds.has(workspaceId);
    // The workspace was being deleted during the export.
    const project = isGone ? { ...exported, workspaceId: null } : exported;
    const imported = await importProject(deps, account.id, project);
    summary[typeof imported === 'string' ? imported : 'refused'] += 1;
    deps.report(project, imported);
  }
  return summary;
}

/** An existing account keeps its plan: an import never changes what somebody pays for. */
async function accountFor(
  { accounts }: ImportAccountDeps,
  { account: { tier, trialEndsAt, createdAt } }: AccountExport,
  email: string,
): Promise<{ account: Account; isNew: boolean }> {
  const existing = await accounts.findByEmail(email);
  if (existing !== undefined) return { account: existing, isNew: false };
  const id = AccountId.parse(randomUUID());
  const totals = { projectCount: 0, storageBytes: 0 };
  const account = await accounts.create({ id, email, tier, trialEndsAt, ...totals, createdAt });
  return { account, isNew: account.id === id };
}

/** No plan limits an import. */
const maxWorkspaces = Number.MAX_SAFE_INTEGER;

/** An existing workspace keeps its name. */
async function restoreWorkspaces(
  workspaces: ImportAccountDeps['workspaces'],
  accountId: AccountId,
  archive: AccountExport,
): Promise<void> {
  if (archive.workspaces.length === 0) return;
  const own = new Set((await workspaces.list(accountId)).map(({ id }) => id));
  for (const workspace of archive.workspaces.filter(({ id }) => !own.has(id))) {
    const empty = { ...workspace, projectCount: 0, deletingAt: null };
    await workspaces.createWithinLimit(maxWorkspaces, accountId, empty);
  }
}

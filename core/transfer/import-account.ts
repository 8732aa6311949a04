import { randomUUID } from 'node:crypto';
import type { AccountExport } from '../../contract/account-export.ts';
import { AccountId } from '../../contract/fields.ts';
import { type Account, normaliseEmail } from '../accounts/account.ts';
import type { AccountStore } from '../accounts/ports.ts';
import { isAssignable, type StoredDomain } from '../domains/domain.ts';
import { shownName } from '../domains/domain-name.ts';
import type { DomainStore } from '../domains/ports.ts';
import { CodedError } from '../errors.ts';
import type { WorkspaceStore } from '../workspaces/ports.ts';
import { type ImportOutcome, importProject, type ImportProjectDeps } from './import-project.ts';

/** The dependencies for restoring an account. */
export interface ImportAccountDeps extends ImportProjectDeps {
  accounts: Pick<AccountStore, 'findByEmail' | 'create'>;
  workspaces: Pick<WorkspaceStore, 'list' | 'createWithinLimit'>;
  domains: Pick<DomainStore, 'list'>;
  /** Called when a project is done. */
  report(project: { id: string; slug: string; title: string }, imported: ImportOutcome): void;
}

/** What may differ from the exported account. */
export interface ImportOptions {
  /** The address of the target account; default: the exported one. */
  email?: string | undefined;
  /** A domain of that account for all projects that had one. */
  domain?: string | undefined;
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
 * A project that had a custom domain gets one again, if the account has it here: the named one, or the
 * one with the same id. Otherwise it gets an address of this service.
 * @throws CodedError DOMAIN_NOT_READY, if the named domain takes no projects
 */
export async function importAccount(
  deps: ImportAccountDeps,
  archive: AccountExport,
  { email = archive.account.email, domain: domainName }: ImportOptions = {},
): Promise<ImportSummary> {
  const { account, isNew } = await accountFor(deps, archive, normaliseEmail(email));
  const domains = (await deps.domains.list(account.id)).filter(isAssignable);
  const named = domainName === undefined ? undefined : requireDomain(domains, domainName);
  await restoreWorkspaces(deps.workspaces, account.id, archive);
  const summary = { account, isNew, restored: 0, same: 0, refused: 0 };
  const workspaceIds = new Set(archive.workspaces.map(({ id }) => id));
  for (const exported of archive.projects) {
    const { workspaceId } = exported;
    const isGone = workspaceId !== null && !workspaceIds.has(workspaceId);
    // The workspace was being deleted during the export.
    const project = isGone ? { ...exported, workspaceId: null } : exported;
    const { domainId } = exported;
    const former = domains.find(({ id }) => id === domainId);
    const domain = domainId === null ? undefined : (named ?? former);
    const imported = await importProject(deps, { ownerId: account.id, domain }, project);
    summary[typeof imported === 'string' ? imported : 'refused'] += 1;
    deps.report(project, imported);
  }
  return summary;
}

function requireDomain(domains: readonly StoredDomain[], name: string): StoredDomain {
  const found = domains.find((domain) => domain.name === name || shownName(domain.name) === name);
  if (found !== undefined) return found;
  throw new CodedError('DOMAIN_NOT_READY', {
    error: `The account has no custom domain ${name} that takes projects. Its owner adds it with POST /v1/domains and sets the records; then run the import again.`,
  });
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

import type { ProjectId } from '../../contract/fields.ts';
import type { OperatedAccount, OperatedProject } from '../../contract/operations/operators.ts';
import type { AbuseReports } from '../abuse/abuse-reports.ts';
import { type ClosingNotifier, restorableUntil } from '../accounts/closing/close-account.ts';
import type { Account } from '../accounts/account.ts';
import * as accounts from '../accounts/admin.ts';
import { getsMail } from '../accounts/mail-choices.ts';
import type { AccountAdmin, AccountStore } from '../accounts/ports.ts';
import { accountState } from '../accounts/suspension.ts';
import type { SessionCaller } from '../caller.ts';
import { CodedError, invalidField } from '../errors.ts';
import type { Addresses } from '../projects/addresses/addresses.ts';
import * as takedowns from '../projects/moderation/operator-change.ts';
import * as suspension from '../projects/moderation/suspend-account.ts';
import type { Project } from '../projects/project.ts';
import { isOperator, requireOperator } from './operator.ts';

/** Tells owners what an operator did, and why. */
export interface ModerationMailer extends ClosingNotifier {
  sendTakenDown(
    email: string,
    mail: { title: string; projectId: ProjectId; reason: string },
  ): Promise<void>;
  sendSuspended(email: string, mail: { reason: string }): Promise<void>;
}

/**
 * The dependencies of the operators' actions in a browser: the same as those of the operator's
 * commands.
 */
export interface OperateDeps extends takedowns.TakedownDeps {
  /** The e-mail addresses in the setting `operators`. */
  operators: readonly string[];
  reports: Pick<AbuseReports, 'list' | 'findOpen' | 'resolve'>;
  addresses: Pick<Addresses, 'siteUrl'>;
  accounts: Pick<AccountStore, 'findByEmail' | 'get' | 'closeAgain'>;
  admin: Pick<AccountAdmin, 'beginSuspension' | 'beginLifting' | 'endSuspension'>;
  owned: takedowns.TakedownDeps['owned'] & suspension.SuspendDeps['owned'];
  moderationMailer: ModerationMailer;
  /** Logs who did what to whom. */
  onAction(action: { action: string; operatorId: string; target: string }): void;
}

/** @throws CodedError NOT_FOUND */
export async function takeDownProject(
  deps: OperateDeps,
  caller: SessionCaller,
  input: { target: string; reason: string },
) {
  const project = await act(deps, caller, { action: 'takedown', target: input.target }, () =>
    takedowns.takeDown(deps, input),
  );
  const { id: projectId, ownerId, title } = project;
  const owner = ownerId === null ? undefined : await deps.accounts.get(ownerId);
  if (getsMail(owner, 'takedowns')) {
    const mail = { title, projectId, reason: input.reason };
    await told(deps, owner, deps.moderationMailer.sendTakenDown(owner.email, mail));
  }
  return describeProject(deps, project);
}

/** A mail that fails does not undo what was done. */
async function told(
  { onFailure }: Pick<OperateDeps, 'onFailure'>,
  { id: accountId }: Account,
  sent: Promise<void>,
): Promise<void> {
  await sent.catch((error: unknown) => onFailure({ kind: 'moderation-mail', accountId }, error));
}

/** @throws CodedError NOT_FOUND */
export async function liftTakedown(
  deps: OperateDeps,
  caller: SessionCaller,
  { projectId: target }: { projectId: string },
) {
  const project = await act(deps, caller, { action: 'release', target }, () =>
    takedowns.liftTakedown(deps, { target }),
  );
  return describeProject(deps, project);
}

/**
 * Blocks an account, but never that of an operator: nobody could then unblock it in a browser.
 * @throws CodedError NOT_FOUND, INVALID_REQUEST, UNAVAILABLE
 */
export async function suspendAccount(
  deps: OperateDeps,
  caller: SessionCaller,
  { accountId: target, reason }: { accountId: string; reason: string },
) {
  const account = await act(deps, caller, { action: 'suspend', target }, async () => {
    const found = await requireAccount(deps, target);
    if (isOperator(deps.operators, found)) throw operatorNotSuspendable();
    const suspended = await suspension.suspendAccount(deps, found.id, reason);
    if (getsMail(found, 'takedowns'))
      await told(deps, found, deps.moderationMailer.sendSuspended(found.email, { reason }));
    return suspended;
  });
  return describeAccount(account);
}

/** @throws CodedError NOT_FOUND, UNAVAILABLE */
export async function unsuspendAccount(
  deps: OperateDeps,
  caller: SessionCaller,
  { accountId: target }: { accountId: string },
) {
  const account = await act(deps, caller, { action: 'unsuspend', target }, async () =>
    suspension.unsuspendAccount(deps, (await requireAccount(deps, target)).id),
  );
  const { closedAt, email } = account;
  // Its deletion begins again: the link and the day of the first mail hold no more.
  if (closedAt !== undefined) {
    const mail = { restorableUntil: restorableUntil(closedAt) };
    await told(deps, account, deps.moderationMailer.sendClosed(email, mail));
  }
  return describeAccount(account);
}

/** Logs an operator's action and then does it, so that an interrupted action is logged too. */
export async function act<T>(
  deps: Pick<OperateDeps, 'operators' | 'onAction'>,
  caller: SessionCaller,
  what: { action: string; target: string },
  run: () => Promise<T>,
): Promise<T> {
  requireOperator(deps.operators, caller);
  deps.onAction({ ...what, operatorId: caller.account.id });
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof takedowns.OperatorError)) throw error;
    if (error.kind === 'missing') throw new CodedError('NOT_FOUND', { error: error.message });
    throw new CodedError('UNAVAILABLE', {
      error: error.message,
      nextStep: 'Read the present state, then send the same request again if it is still needed.',
    });
  }
}

/** @throws CodedError NOT_FOUND */
export async function requireAccount(deps: OperateDeps, idOrEmail: string): Promise<Account> {
  const account = await accounts.findAccount(deps, idOrEmail);
  if (account !== undefined) return account;
  throw new CodedError('NOT_FOUND', {
    error: 'There is no such account.',
    nextStep: 'Check the id or the e-mail address letter by letter.',
  });
}

function operatorNotSuspendable(): CodedError {
  return invalidField('accountId', 'belongs to an operator of this service', {
    nextStep:
      'Remove it from the setting `operators` and deploy, or use `npm run admin -- suspend`.',
  });
}

/** A project as operators see it. */
export function describeProject(
  { addresses }: Pick<OperateDeps, 'addresses'>,
  { id, title, host, ownerId, takedown }: Project,
): OperatedProject {
  return { projectId: id, title, host, url: addresses.siteUrl(host), ownerId, takedown };
}

/** An account as operators see it. */
export function describeAccount(account: Account): OperatedAccount {
  const { id, email, tier: plan, projectCount, storageBytes, createdAt } = account;
  const suspensionReason = account.suspensionReason ?? null;
  const state = account.closedAt === undefined ? accountState(account) : 'closed';
  const facts = { email, plan, projectCount, storageBytes, createdAt, suspensionReason };
  return { accountId: id, ...facts, state };
}

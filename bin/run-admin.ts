import { maxStoredReports } from '../core/abuse/abuse-reports.ts';
import { instant } from '../core/instants.ts';
import { findAccount } from '../core/accounts/admin.ts';
import { changePlan } from '../core/operators/accounts.ts';
import type { Tier } from '../contract/fields.ts';
import type { Account } from '../core/accounts/account.ts';
import { makeOperatorCode } from '../core/accounts/sign-in/operator-code.ts';
import { invite } from '../core/operators/invite.ts';
import { removeDomains } from '../core/domains/removal/remove-domains.ts';
import { CodedError } from '../core/errors.ts';
import { restoreAsOperator } from '../core/projects/removal/restore-project.ts';
import { restoreFiles } from '../core/projects/removal/file-versions.ts';
import { purgeFiles } from '../core/projects/removal/purge-files.ts';
import { suspendAccount, unsuspendAccount } from '../core/projects/moderation/suspend-account.ts';
import {
  liftTakedown,
  OperatorError,
  takeDown,
} from '../core/projects/moderation/operator-change.ts';
import { rotateSecret } from '../core/secrets/rotate-secret.ts';
import { StartError } from '../local/errors.ts';
import { adminHelp, type AdminTask, type FilesTask, parseAdminCommand } from './admin-command.ts';
import { operatorDeps } from './admin-deps.ts';
import type { Stage } from './stages/stage-resources.ts';
import { CommandError, type CommandOutput, errorLine } from './command-line.ts';
import {
  formatAccount,
  formatDeletedProjects,
  formatInvitation,
  formatOperatorCode,
  formatProject,
  formatRemovedDomains,
  formatReports,
  formatRotationStep,
} from './admin-output.ts';

async function runTask(
  task: AdminTask & { stage: Stage },
  warn: (line: string) => void,
): Promise<string> {
  const deps = await operatorDeps(task.stage, warn);
  if (task.kind === 'files') return changeFiles(deps, task);
  if (task.kind === 'sign-in') return signIn(await deps.signIn(), task.email);
  if (task.kind === 'invite') return inviteSomebody(await deps.signIn(), task);
  if (task.kind === 'remove-domain') return removeCustomDomains(await deps.domains(), task.domain);
  if (task.kind === 'reports' || task.kind === 'deleted') return runQuery(deps, task);
  if (task.kind === 'resolve') return resolveReports(deps, task);
  return runChange(deps, task);
}

type ChangeTask = Exclude<
  AdminTask,
  { kind: 'files' | 'sign-in' | 'invite' | 'reports' | 'resolve' | 'deleted' | 'remove-domain' }
>;

/** The commands for one account, one project or one secret. */
async function runChange(deps: OperatorDeps, task: ChangeTask): Promise<string> {
  switch (task.kind) {
    case 'account':
      return formatAccount(
        requireAccount(await findAccount(deps.accounts(), task.email), task.email),
      );
    case 'set-plan':
      return formatAccount(
        requireAccount(
          await changePlan(
            { ...deps.accounts(), ...deps.projects() },
            { account: task.email, plan: task.tier },
          ),
          task.email,
        ),
      );
    case 'suspend':
    case 'unsuspend':
      return formatAccount(await changeSuspension(deps, task));
    case 'takedown':
      return formatProject(await takeDown(deps.projects(), task));
    case 'release':
      return formatProject(await liftTakedown(deps.projects(), task));
    case 'restore':
      return formatProject(await restoreAsOperator(deps.projects(), task));
    case 'rotate':
      return formatRotationStep(task.secret, await rotateSecret(await deps.rotation(task.secret)));
  }
}

type SuspensionTask = Extract<AdminTask, { kind: 'suspend' | 'unsuspend' }>;
type OperatorDeps = Awaited<ReturnType<typeof operatorDeps>>;

async function changeSuspension(deps: OperatorDeps, task: SuspensionTask): Promise<Account> {
  const { id } = requireAccount(await findAccount(deps.accounts(), task.account), task.account);
  const all = { ...deps.accounts(), ...deps.projects() };
  return task.kind === 'suspend' ? suspendAccount(all, id, task.reason) : unsuspendAccount(all, id);
}

/** Restores the files of a project, or deletes them for ever. */
async function changeFiles(deps: OperatorDeps, task: FilesTask): Promise<string> {
  if (task.files === 'purge') {
    const { deleted } = await purgeFiles({ ...deps.files(), edge: deps.projects().edge }, task);
    return `${deleted} versions of files were deleted for ever. The project is removed within a minute.`;
  }
  const { restored, incomplete } = await restoreFiles(deps.files(), task);
  const lost = incomplete.map(
    (version) => ` The list of files of version ${version} could not be restored.`,
  );
  return `Objects that were restored: ${restored}.${lost.join('')}`;
}

async function removeCustomDomains(
  { now, ...deps }: Awaited<ReturnType<OperatorDeps['domains']>>,
  name: string | undefined,
): Promise<string> {
  return formatRemovedDomains(await removeDomains(deps, name, now), name);
}

/** The commands that only read lists. */
async function runQuery(
  deps: OperatorDeps,
  task: Extract<AdminTask, { kind: 'reports' | 'deleted' }>,
): Promise<string> {
  if (task.kind === 'reports') {
    const { limit, from } = task;
    const after = from && instant(from);
    return formatReports(
      await deps.reports().list({ state: 'open', limit, reports: maxStoredReports, after }),
    );
  }
  const account = requireAccount(await findAccount(deps.accounts(), task.email), task.email);
  const all = { limit: Number.POSITIVE_INFINITY };
  return formatDeletedProjects((await deps.deleted().listByAccount(account.id, all)).deleted);
}

/** Files reports as handled: what was done about them is the present state of their project. */
async function resolveReports(
  deps: OperatorDeps,
  { projectId, last, reason }: Extract<AdminTask, { kind: 'resolve' }>,
): Promise<string> {
  const { projects, now } = deps.projects();
  const project = await projects.get(projectId);
  const outcome = project?.takedown
    ? 'taken-down'
    : project?.suspendedAt
      ? 'suspended'
      : 'nothing-wrong';
  const resolution = { outcome, reason, at: instant(now()) } as const;
  const resolved = await deps.reports().resolve(projectId, last, resolution);
  if (resolved === 0) throw new CommandError('These reports were resolved or do not exist.');
  return `Reports that were resolved: ${resolved}.`;
}

async function signIn(
  { deps, baseUrl }: Awaited<ReturnType<OperatorDeps['signIn']>>,
  email: string,
): Promise<string> {
  return formatOperatorCode(await makeOperatorCode(deps, email), email, baseUrl);
}

async function inviteSomebody(
  { deps }: Awaited<ReturnType<OperatorDeps['signIn']>>,
  input: { email: string; plan: Tier | undefined },
): Promise<string> {
  const { invitation, url } = await invite(deps, input);
  return formatInvitation(invitation, url);
}

function requireAccount<T>(account: T | undefined, email: string): T {
  if (account === undefined) throw new CommandError(`${email} has no account.`);
  return account;
}

/**
 * Runs one operator command.
 * @param args what follows `npm run admin --`
 * @returns the exit code
 */
export async function runAdmin(args: readonly string[], output: CommandOutput): Promise<number> {
  try {
    const command = parseAdminCommand(args);
    output.print(
      command.kind === 'help'
        ? adminHelp
        : await runTask(command, (line) => output.printError(line)),
    );
    return 0;
  } catch (error) {
    output.printError(errorLine(error, [CommandError, OperatorError, StartError, CodedError]));
    return 1;
  }
}

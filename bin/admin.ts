import { findAccount, isLarger, setPlan } from '../core/accounts/admin.ts';
import { restAll } from '../core/analytics/rest-projects.ts';
import type { Tier } from '../contract/fields.ts';
import type { Account } from '../core/accounts/account.ts';
import { OperatorError } from '../core/projects/moderation/operate.ts';
import { restoreProject } from '../core/projects/removal/restore-project.ts';
import { suspendAccount, unsuspendAccount } from '../core/projects/moderation/suspend-account.ts';
import { release, takeDown } from '../core/projects/moderation/take-down.ts';
import { rotateSecret } from '../core/secrets/rotate-secret.ts';
import { StartError } from '../local/start-error.ts';
import { adminHelp, type AdminTask, parseAdminCommand } from './admin-command.ts';
import { operatorDeps } from './admin-reach.ts';
import { AdminError, type Stage } from './admin-stage.ts';
import { accountText, deletedText, projectText, reportsText, rotationText } from './admin-text.ts';

// What the SDK says about the version of Node.js is nothing that an operator asked about.
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] = 'true';

async function run(task: AdminTask & { stage: Stage }): Promise<string> {
  const deps = operatorDeps(task.stage);
  switch (task.kind) {
    case 'account':
      return accountText(found(await findAccount(deps.accounts(), task.email), task.email));
    case 'set-plan':
      return accountText(await changePlan(deps, task));
    case 'suspend':
    case 'unsuspend': {
      const change = task.kind === 'suspend' ? suspendAccount : unsuspendAccount;
      const { id } = found(await findAccount(deps.accounts(), task.account), task.account);
      return accountText(await change({ ...deps.accounts(), ...deps.projects() }, id));
    }
    case 'takedown':
      return projectText(await takeDown(deps.projects(), task));
    case 'release':
      return projectText(await release(deps.projects(), task));
    case 'restore':
      return projectText(await restoreProject(deps.projects(), task));
    case 'rotate':
      return rotationText(task.secret, await rotateSecret(await deps.rotation(task.secret)));
    case 'reports': {
      const { reports, now } = deps.reports();
      return reportsText(await reports.latest(task.limit, now()));
    }
    case 'deleted': {
      const account = found(await findAccount(deps.accounts(), task.email), task.email);
      return deletedText(await deps.deleted().of(account.id));
    }
  }
}

/** Projects that rest because of their visits wake with more room; over that, the next visit ends it. */
async function changePlan(
  deps: ReturnType<typeof operatorDeps>,
  { email, tier }: { email: string; tier: Tier },
): Promise<Account> {
  const before = found(await findAccount(deps.accounts(), email), email);
  const projects = isLarger(tier, before.tier) ? deps.projects() : undefined;
  const account = found(await setPlan(deps.accounts(), email, tier), email);
  if (projects !== undefined) await restAll(projects, account.id, null);
  return account;
}

function found<T>(account: T | undefined, email: string): T {
  if (account === undefined) throw new AdminError(`${email} has no account.`);
  return account;
}

/** What AWS and the network say, without their stacks: an operator can act on the name and the text. */
function lineOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isOurs = [AdminError, OperatorError, StartError].some((kind) => error instanceof kind);
  if (isOurs) return error.message;
  if ('code' in error && error.code === 'ECONNREFUSED') {
    return 'The local cloud does not answer. Start it with npm start.';
  }
  return `${error.name}: ${error.message}`.replaceAll(/\s+/g, ' ');
}

try {
  const command = parseAdminCommand(process.argv.slice(2), process.env);
  console.log(command.kind === 'help' ? adminHelp : await run(command));
} catch (error) {
  console.error(lineOf(error));
  process.exitCode = 1;
}

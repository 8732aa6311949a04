import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { accountAdmin } from '../adapters/account-admin.ts';
import { accountRepository } from '../adapters/account-repository.ts';
import { operatorClient, type OperatorReach } from '../adapters/operator-client.ts';
import type { Account } from '../core/accounts/account.ts';
import { type AdminDeps, findAccount, setPlan } from '../core/accounts/admin.ts';
import { readOperatorAccess } from '../local/operator.ts';
import { StartError } from '../local/start-error.ts';
import {
  type AdminCommand,
  AdminError,
  adminHelp,
  parseAdminCommand,
  type Stage,
} from './admin-command.ts';

// What the SDK says about the version of Node.js is nothing that an operator asked about.
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] = 'true';

/** CloudFront's certificates and tenants live there, and so does everything else. */
const REGION = 'us-east-1';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

function tableOf(stage: Stage): OperatorReach & { table: string } {
  if (stage.kind === 'deployed') return { region: REGION, table: stage.table };
  const stateDir = path.resolve(stage.stateDir ?? path.join(ROOT, '.slipway'));
  const access = readOperatorAccess(stateDir);
  if (access === undefined) {
    throw new AdminError(
      `No local cloud runs with ${stateDir}. Start it with npm start, or name a deployed table with --table.`,
    );
  }
  const { endpoint: url, tables, ...credentials } = access;
  const table = tables['ACCOUNTS_TABLE'];
  if (table === undefined) throw new AdminError('The local cloud that runs has no accounts.');
  return { region: REGION, table, endpoint: { url, ...credentials } };
}

function depsOf(stage: Stage): AdminDeps {
  const { table, ...reach } = tableOf(stage);
  const client = operatorClient(reach);
  return { accounts: accountRepository(client, table), admin: accountAdmin(client, table) };
}

function describe(account: Account): string {
  const { id, email, tier, trialEndsAt, projectCount, storageBytes, createdAt } = account;
  const rows = [
    ['id', id],
    ['email', email],
    ['plan', tier],
    ['trial ends', trialEndsAt ?? 'no trial'],
    ['projects', String(projectCount)],
    ['bytes', String(storageBytes)],
    ['created', createdAt],
  ];
  return rows.map(([name = '', value = '']) => `${name.padEnd(12)}${value}`).join('\n');
}

async function run(command: Exclude<AdminCommand, { kind: 'help' }>): Promise<string> {
  const deps = depsOf(command.stage);
  const account =
    command.kind === 'set-plan'
      ? await setPlan(deps, command.email, command.tier)
      : await findAccount(deps, command.email);
  if (account === undefined) throw new AdminError(`${command.email} has no account.`);
  return describe(account);
}

/** What AWS and the network say, without their stacks: an operator can act on the name and the text. */
function lineOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof AdminError || error instanceof StartError) return error.message;
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

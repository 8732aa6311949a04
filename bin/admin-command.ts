import { parseArgs, types } from 'node:util';
import { EmailAddress, Tier } from '../contract/fields.ts';

/** Which accounts table: that of a running local cloud, or one in AWS. */
export type Stage =
  | { kind: 'local'; stateDir: string | undefined }
  | { kind: 'deployed'; table: string };

/** What an operator asked for. */
export type AdminCommand =
  | { kind: 'help' }
  | { kind: 'account'; email: string; stage: Stage }
  | { kind: 'set-plan'; email: string; tier: Tier; stage: Stage };

/** A command that cannot be run, in one line that says why. */
export class AdminError extends Error {
  override name = 'AdminError';
}

/** The text of `--help`. */
export const adminHelp = `Shows and changes accounts.

  npm run admin -- account <email>            who it is, its plan and what it holds
  npm run admin -- set-plan <email> <plan>    ${Tier.options.join(', ')}

  Without an option: the local cloud that runs now.

  --state-dir <path>   where it keeps its state (.slipway)
  --table <name>       the accounts table of a deployed stage, in us-east-1, with the AWS
                       credentials of the shell; or set ACCOUNTS_TABLE. The name is in
                       the data stack's resources, and in the functions' ACCOUNTS_TABLE.
  --help               this text
`;

const seeHelp = 'npm run admin -- --help lists what there is.';

/**
 * Reads a command line.
 * @throws AdminError
 */
export function parseAdminCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): AdminCommand {
  const { values, positionals } = parsed(args);
  const [command, ...operands] = positionals;
  if (values.help === true || (command === undefined && args.length === 0)) return { kind: 'help' };
  const stage = stageOf(values, environment['ACCOUNTS_TABLE']);
  if (command === 'account') {
    const [email] = exactly(operands, ['<email>']);
    return { kind: 'account', email: emailOf(email), stage };
  }
  if (command === 'set-plan') {
    const [email, tier] = exactly(operands, ['<email>', '<plan>']);
    return { kind: 'set-plan', email: emailOf(email), tier: tierOf(tier), stage };
  }
  throw new AdminError(`${command ?? 'An option alone'} is no command. ${seeHelp}`);
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        'state-dir': { type: 'string' },
        table: { type: 'string' },
        help: { type: 'boolean' },
      },
    });
  } catch (error) {
    const [reason = ''] = (types.isNativeError(error) ? error.message : '').split(/\. |\n/);
    throw new AdminError(`${reason}. ${seeHelp}`);
  }
}

function stageOf(
  values: { 'state-dir'?: string | undefined; table?: string | undefined },
  variable: string | undefined,
): Stage {
  const stateDir = values['state-dir'];
  if (values.table !== undefined && stateDir !== undefined) {
    throw new AdminError('--table is for a deployed stage, --state-dir for a local one. Use one.');
  }
  if (values.table === '') throw new AdminError('--table needs the name of a table.');
  // What is said on the command line goes before what a shell still has from before.
  const table = values.table ?? (stateDir === undefined ? variable : undefined);
  if (table !== undefined && table !== '') return { kind: 'deployed', table };
  return { kind: 'local', stateDir };
}

function exactly(operands: readonly string[], names: readonly string[]): readonly string[] {
  const missing = names[operands.length];
  if (missing !== undefined) throw new AdminError(`${missing} is missing. ${seeHelp}`);
  const extra = operands[names.length];
  if (extra !== undefined) throw new AdminError(`${extra} is too much. ${seeHelp}`);
  return operands;
}

function emailOf(text = ''): string {
  const email = EmailAddress.safeParse(text);
  if (!email.success) throw new AdminError(`${text} is no e-mail address.`);
  return email.data;
}

function tierOf(text = ''): Tier {
  const tier = Tier.safeParse(text);
  if (!tier.success) throw new AdminError(`${text} is no plan. Use ${Tier.options.join(', ')}.`);
  return tier.data;
}

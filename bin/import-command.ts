import { EmailAddress } from '../contract/fields.ts';
import { CommandError, parseOptions } from './command-line.ts';
import { parseStage, type Stage } from './stages/stage-resources.ts';

export type ImportCommand = { kind: 'help' } | ImportTask;

export interface ImportTask {
  kind: 'import';
  from: string;
  email: string | undefined;
  domain: string | undefined;
  target: Stage;
}

const options = {
  from: { type: 'string' },
  email: { type: 'string' },
  domain: { type: 'string' },
  stage: { type: 'string' },
  'state-dir': { type: 'string' },
  help: { type: 'boolean' },
} as const;

/** The text of `--help`. */
export const importHelp = `Restores an export: the account with its projects, versions and settings.

  npm run import -- --from <folder> [--email <address>] [--domain <domain>]

  --from <folder>      a folder that slipway export wrote; damaged projects are skipped
  --email <address>    the account to restore to (default: the exported account). A new account gets
                       the exported plan; an existing account keeps its plan.
  --domain <domain>    a custom domain of that account for the projects that had one. Without it, they
                       get the domain with the same id, or else addresses of this service.

  Without the options below, the import goes to the local cloud that is running.

  --stage <name>       a deployed stage; the AWS credentials come from the shell
  --state-dir <path>   the state folder of the local cloud (.slipway)
  --help               this text

After a failure, run it again: projects that are already restored stay as they are. An import may exceed the limits of the plan.
`;

const seeHelp = 'npm run import -- --help lists the options.';

/**
 * Reads a command line.
 * @throws CommandError
 */
export function parseImportCommand(args: readonly string[]): ImportCommand {
  const { values } = parseOptions({ args: [...args], options }, seeHelp);
  if (values.help === true || args.length === 0) return { kind: 'help' };
  const { from, email, domain } = values;
  if (from === undefined || from === '') throw new CommandError(`--from is missing. ${seeHelp}`);
  if (email !== undefined && !EmailAddress.safeParse(email).success) {
    throw new CommandError(`${email} is not an e-mail address.`);
  }
  return { kind: 'import', from, email, domain, target: parseStage(values) };
}

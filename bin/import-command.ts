import { parseArgs, types } from 'node:util';
import { EmailAddress } from '../contract/fields.ts';
import { TransferError } from './transfer-error.ts';

/** Where an import goes: the local cloud that runs, or what a deployed stage is made of. */
export type ImportTarget =
  | { kind: 'local'; stateDir: string | undefined }
  | { kind: 'deployed'; names: DeployedNames };

/** Names of a deployed stage, as its functions get them. */
export type DeployedNames = Record<keyof typeof variableOf, string>;

/** What was asked for. */
export type ImportCommand =
  | { kind: 'help' }
  | { kind: 'import'; from: string; email: string | undefined; target: ImportTarget };

const variableOf = {
  accounts: 'ACCOUNTS_TABLE',
  projects: 'PROJECTS_TABLE',
  sites: 'SITES_TABLE',
  bucket: 'CONTENT_BUCKET',
  'sites-domain': 'SITES_DOMAIN',
} as const;

const nameKeys = ['accounts', 'projects', 'sites', 'bucket', 'sites-domain'] as const;

/** The text of `--help`. */
export const importHelp = `Restores what npm run export fetched: account, projects, versions and settings.

  npm run import -- --from <folder> [--email <address>]

  --from <folder>      what npm run export wrote; only what is whole and right is restored
  --email <address>    whose account it is to be (the exported one); made where there is none,
                       with the plan of the export. An account that is there keeps its plan.

  Without more: into the local cloud that runs now.

  --state-dir <path>   where it keeps its state (.slipway)

  Into a deployed stage, in us-east-1, with the AWS credentials of the shell; each name is an option,
  or the variable that functions get it in:

  --accounts <table>         ACCOUNTS_TABLE
  --projects <table>         PROJECTS_TABLE
  --sites <table>            SITES_TABLE
  --bucket <name>            CONTENT_BUCKET
  --sites-domain <domain>    SITES_DOMAIN

  --help               this text

Run it again after a failure: what is restored already stays as it is. No plan limits an import.
`;

const seeHelp = 'npm run import -- --help says more.';

/**
 * Reads a command line.
 * @throws TransferError
 */
export function parseImportCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): ImportCommand {
  const values = parsed(args);
  if (values.help === true || args.length === 0) return { kind: 'help' };
  const { from, email } = values;
  if (from === undefined || from === '') throw new TransferError(`--from is missing. ${seeHelp}`);
  if (email !== undefined && !EmailAddress.safeParse(email).success) {
    throw new TransferError(`${email} is no e-mail address.`);
  }
  return { kind: 'import', from, email, target: targetOf(values, environment) };
}

function targetOf(
  values: ReturnType<typeof parsed>,
  environment: Readonly<Record<string, string | undefined>>,
): ImportTarget {
  const stateDir = values['state-dir'];
  const said = nameKeys.filter((key) => values[key] !== undefined);
  if (stateDir !== undefined && said.length > 0) {
    throw new TransferError(`--${said[0]} is for a deployed stage, --state-dir for a local one.`);
  }
  // What is said on the command line goes before what a shell still has from before.
  const nameOf = (key: (typeof nameKeys)[number]) => values[key] ?? environment[variableOf[key]];
  const given = nameKeys.filter((key) => (nameOf(key) ?? '') !== '');
  if (stateDir !== undefined || given.length === 0) return { kind: 'local', stateDir };
  const named = (key: (typeof nameKeys)[number]) => {
    const name = nameOf(key) ?? '';
    if (name === '')
      throw new TransferError(`--${key} or ${variableOf[key]} is missing. ${seeHelp}`);
    return name;
  };
  return {
    kind: 'deployed',
    names: {
      accounts: named('accounts'),
      projects: named('projects'),
      sites: named('sites'),
      bucket: named('bucket'),
      'sites-domain': named('sites-domain'),
    },
  };
}

function parsed(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        from: { type: 'string' },
        email: { type: 'string' },
        'state-dir': { type: 'string' },
        accounts: { type: 'string' },
        projects: { type: 'string' },
        sites: { type: 'string' },
        bucket: { type: 'string' },
        'sites-domain': { type: 'string' },
        help: { type: 'boolean' },
      },
    });
    return values;
  } catch (error) {
    const [reason = ''] = (types.isNativeError(error) ? error.message : '').split(/\. |\n/);
    throw new TransferError(`${reason}. ${seeHelp}`);
  }
}

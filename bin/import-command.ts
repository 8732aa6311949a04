import { EmailAddress } from '../contract/fields.ts';
import { CommandError, parseOptions } from './command-line.ts';
import { parseStageName } from './stages/stage-resources.ts';

/** Where an import writes: the local cloud that is running, or a deployed stage. */
export type ImportTarget =
  | { kind: 'local'; stateDir: string | undefined }
  | { kind: 'deployed'; names: ResourceNames }
  | { kind: 'stage'; name: string };

/** Names of the resources of a deployed stage. */
export type ResourceNames = Record<keyof typeof variableOf, string>;

export type ImportCommand = { kind: 'help' } | ImportTask;

export interface ImportTask {
  kind: 'import';
  from: string;
  email: string | undefined;
  domain: string | undefined;
  target: ImportTarget;
}

/** The environment variable that can replace each option. */
const variableOf = {
  accounts: 'ACCOUNTS_TABLE',
  projects: 'PROJECTS_TABLE',
  sites: 'SITES_TABLE',
  bucket: 'CONTENT_BUCKET',
  'sites-domain': 'SITES_DOMAIN',
} as const;

const resourceNames = ['accounts', 'projects', 'sites', 'bucket', 'sites-domain'] as const;

const options = {
  from: { type: 'string' },
  email: { type: 'string' },
  domain: { type: 'string' },
  stage: { type: 'string' },
  'state-dir': { type: 'string' },
  accounts: { type: 'string' },
  projects: { type: 'string' },
  sites: { type: 'string' },
  bucket: { type: 'string' },
  'sites-domain': { type: 'string' },
  help: { type: 'boolean' },
} as const;

/** The text of `--help`. */
export const importHelp = `Restores an export: the account with its projects, versions and settings.

  npm run import -- --from <folder> [--email <address>] [--domain <domain>]

  --from <folder>      a folder that npm run export wrote; damaged projects are skipped
  --email <address>    the account to restore to (default: the exported account). A new account gets
                       the exported plan; an existing account keeps its plan.
  --domain <domain>    a custom domain of that account for the projects that had one. Without it, they
                       get the domain with the same id, or else addresses of this service.

  Without the options below, the import goes to the local cloud that is running.

  --stage <name>       a deployed stage; the AWS credentials come from the shell
  --state-dir <path>   the state folder of the local cloud (.slipway)

  These options replace --stage where CloudFormation cannot be read. Each name can also be set as a
  variable; functions use the same variables.

  --accounts <table>         ACCOUNTS_TABLE
  --projects <table>         PROJECTS_TABLE
  --sites <table>            SITES_TABLE
  --bucket <name>            CONTENT_BUCKET
  --sites-domain <domain>    SITES_DOMAIN

  --help               this text

After a failure, run it again: projects that are already restored stay as they are. An import may exceed the limits of the plan.
`;

const seeHelp = 'npm run import -- --help lists the options.';

/**
 * Reads a command line.
 * @throws CommandError
 */
export function parseImportCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): ImportCommand {
  const { values } = parseOptions({ args: [...args], options }, seeHelp);
  if (values.help === true || args.length === 0) return { kind: 'help' };
  const { from, email, domain } = values;
  if (from === undefined || from === '') throw new CommandError(`--from is missing. ${seeHelp}`);
  if (email !== undefined && !EmailAddress.safeParse(email).success) {
    throw new CommandError(`${email} is not an e-mail address.`);
  }
  return { kind: 'import', from, email, domain, target: parseTarget(values, environment) };
}

function parseTarget(
  values: { [name in keyof typeof variableOf | 'state-dir' | 'stage']?: string | undefined },
  environment: Readonly<Record<string, string | undefined>>,
): ImportTarget {
  const stateDir = values['state-dir'];
  const optionsPresent = resourceNames.filter((key) => values[key] !== undefined);
  if (values.stage !== undefined) {
    const other = stateDir === undefined ? optionsPresent[0] : 'state-dir';
    if (other === undefined) return { kind: 'stage', name: parseStageName(values.stage) };
    throw new CommandError(`--stage knows what --${other} names. Use only one of them.`);
  }
  if (stateDir !== undefined && optionsPresent.length > 0) {
    throw new CommandError(
      `--${optionsPresent[0]} is for a deployed stage and --state-dir for a local one. Use only one of them.`,
    );
  }
  // Options take precedence over the environment.
  const valueOf = (key: (typeof resourceNames)[number]) =>
    values[key] ?? environment[variableOf[key]];
  const namesPresent = resourceNames.filter((key) => (valueOf(key) ?? '') !== '');
  if (stateDir !== undefined || namesPresent.length === 0) return { kind: 'local', stateDir };
  const requiredName = (key: (typeof resourceNames)[number]) => {
    const name = valueOf(key) ?? '';
    if (name === '')
      throw new CommandError(`--${key} or ${variableOf[key]} is missing. ${seeHelp}`);
    return name;
  };
  return {
    kind: 'deployed',
    names: {
      accounts: requiredName('accounts'),
      projects: requiredName('projects'),
      sites: requiredName('sites'),
      bucket: requiredName('bucket'),
      'sites-domain': requiredName('sites-domain'),
    },
  };
}

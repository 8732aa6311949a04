import path from 'node:path';
import * as z from 'zod';
import { type ExportFolder, exportFolder } from '../cli/export/export-folder.ts';
import { AccountExport } from '../contract/account-export.ts';
import { addresses } from '../core/projects/addresses/addresses.ts';
import { CodedError } from '../core/errors.ts';
import { importAccount, type ImportSummary } from '../core/transfer/import-account.ts';
import { describeFileError, StartError } from '../local/errors.ts';
import { escapeControls } from './admin-output.ts';
import { CommandError, type CommandOutput, errorLine, parseOptions } from './command-line.ts';
import { EmailAddress } from '../contract/fields.ts';
import { openStage } from './stages/stage-access.ts';
import { parseStage, type Stage } from './stages/stage-resources.ts';
import { accountRepository } from '../adapters/dynamodb/accounts/account-repository.ts';
import { contentBucket } from '../adapters/s3/content-bucket.ts';
import { operatorClient, operatorStorage } from '../adapters/operator/operator-client.ts';
import { domainRepository } from '../adapters/dynamodb/domains/domain-repository.ts';
import { projectImport } from '../adapters/dynamodb/projects/project-import.ts';
import { projectRepository } from '../adapters/dynamodb/projects/project-repository.ts';
import { workspaceRepository } from '../adapters/dynamodb/workspaces/workspace-repository.ts';

async function readExport(folder: ExportFolder, from: string): Promise<AccountExport> {
  try {
    return AccountExport.parse(JSON.parse(await folder.readArchive()));
  } catch (error) {
    const missing = describeFileError(error);
    if (missing !== undefined) {
      throw new CommandError(`${missing} --from must name a folder that slipway export wrote.`);
    }
    const why = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
    throw new CommandError(`${from} does not contain a valid export: ${why}`);
  }
}

function formatSummary({ account, isNew, restored, same, refused }: ImportSummary): string {
  const plan = `${isNew ? 'new account' : 'existing account'}, plan ${account.tier}`;
  return `${account.email} (${plan}): ${restored} restored, ${same} already there, ${refused} skipped`;
}

/**
 * Imports an export.
 * @param args what follows `npm run import --`
 * @returns the exit code; also 1 if projects were skipped
 */
export async function runImport(args: readonly string[], output: CommandOutput): Promise<number> {
  try {
    const command = parseImportCommand(args);
    if (command.kind === 'help') {
      output.print(importHelp);
      return 0;
    }
    const summary = await restore(command, output);
    output.print(escapeControls(formatSummary(summary)));
    return summary.refused > 0 ? 1 : 0;
  } catch (error) {
    output.printError(
      errorLine(error, [CommandError, StartError, CodedError]).replaceAll(/\s+/g, ' '),
    );
    return 1;
  }
}

async function restore(command: ImportTask, output: CommandOutput): Promise<ImportSummary> {
  const folder = exportFolder(path.resolve(command.from));
  const archive = await readExport(folder, command.from);
  const { sitesDomain, ...stores } = await importStores(command.target);
  return importAccount(
    {
      ...stores,
      objects: folder,
      // An import makes only hosts of sites, never addresses of the app.
      addresses: addresses('https://app.invalid', sitesDomain),
      now: () => new Date(),
      report({ id, slug, title }, imported) {
        const what = typeof imported === 'string' ? imported : `skipped: ${imported.refused}`;
        output.printError(escapeControls(`${slug} (${id}, ${title}): ${what}`));
      },
    },
    archive,
    { email: command.email, domain: command.domain },
  );
}

type ImportCommand = { kind: 'help' } | ImportTask;

interface ImportTask {
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

/** The tables and the bucket that an import writes to. */
async function importStores(target: Stage) {
  const { name, tables, storage } = await openStage(target);
  const client = operatorClient(tables);
  const names = {
    accounts: name('ACCOUNTS_TABLE'),
    projects: name('PROJECTS_TABLE'),
    sites: name('SITES_TABLE'),
  };
  return {
    accounts: accountRepository(client, names.accounts),
    workspaces: workspaceRepository(client, names.accounts),
    projects: projectRepository(client, names),
    imports: projectImport(client, names),
    domains: domainRepository(client, names),
    content: contentBucket(name('CONTENT_BUCKET'), operatorStorage(storage)),
    sitesDomain: name('SITES_DOMAIN'),
  };
}

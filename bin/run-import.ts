import path from 'node:path';
import * as z from 'zod';
import { type ExportFolder, exportFolder } from '../cli/export/export-folder.ts';
import { AccountExport } from '../contract/account-export.ts';
import { addresses } from '../core/projects/addresses/addresses.ts';
import { CodedError } from '../core/errors.ts';
import { importAccount, type ImportSummary } from '../core/transfer/import-account.ts';
import { describeFileError, StartError } from '../local/errors.ts';
import { importHelp, type ImportTask, parseImportCommand } from './import-command.ts';
import { importStores } from './import-stores.ts';
import { CommandError, type CommandOutput, errorLine } from './command-line.ts';

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
    output.print(formatSummary(summary));
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
        output.printError(`${slug} (${id}, ${title}): ${what}`);
      },
    },
    archive,
    { email: command.email, domain: command.domain },
  );
}

import path from 'node:path';
import * as z from 'zod';
import type { AccountArchive } from '../contract/account-export.ts';
import { addresses } from '../core/projects/addresses/addresses.ts';
import { importAccount, type ImportSummary } from '../core/transfer/import-account.ts';
import { StartError } from '../local/start-error.ts';
import { type ExportFolder, exportFolder } from './export-folder.ts';
import { importHelp, parseImportCommand } from './import-command.ts';
import { importStores } from './import-stores.ts';
import { TransferError } from './transfer-error.ts';

// What the SDK says about the version of Node.js is nothing that an operator asked about.
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] = 'true';

async function archiveIn(folder: ExportFolder, from: string): Promise<AccountArchive> {
  try {
    return await folder.readArchive();
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
    throw new TransferError(`${from} holds no export: ${why}`);
  }
}

function describe({ account, isNew, restored, same, refused }: ImportSummary): string {
  const plan = `${isNew ? 'new' : 'was there'}, plan ${account.tier}`;
  return `${account.email} (${plan}): ${restored} restored, ${same} there already, ${refused} left out`;
}

async function run(): Promise<string> {
  const command = parseImportCommand(process.argv.slice(2), process.env);
  if (command.kind === 'help') return importHelp;
  const folder = exportFolder(path.resolve(command.from));
  const archive = await archiveIn(folder, command.from);
  const { sitesDomain, ...stores } = importStores(command.target);
  const summary = await importAccount(
    {
      ...stores,
      objects: folder,
      // Only hosts are made from it.
      addresses: addresses('https://app.invalid', sitesDomain),
      now: () => new Date(),
      report({ id, slug, title }, imported) {
        const what = typeof imported === 'string' ? imported : `left out: ${imported.refused}`;
        console.error(`${slug} (${id}, ${title}): ${what}`);
      },
    },
    archive,
    command.email,
  );
  if (summary.refused > 0) process.exitCode = 1;
  return describe(summary);
}

function lineOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof TransferError || error instanceof StartError) return error.message;
  if ('code' in error && error.code === 'ECONNREFUSED') {
    return 'The local cloud does not answer. Start it with npm start.';
  }
  return `${error.name}: ${error.message}`;
}

try {
  console.log(await run());
} catch (error) {
  console.error(lineOf(error).replaceAll(/\s+/g, ' '));
  process.exitCode = 1;
}

import path from 'node:path';
import { downloadExport } from './download-export.ts';
import { exportHelp, parseExportCommand } from './export-command.ts';
import { exportFolder } from './export-folder.ts';
import { exportSource } from './export-source.ts';
import { TransferError } from './transfer-error.ts';

async function run(): Promise<string> {
  const command = parseExportCommand(process.argv.slice(2), process.env);
  if (command.kind === 'help') return exportHelp;
  const out = path.resolve(command.out);
  const wait = async (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const { account, projects } = await downloadExport({
    source: exportSource(command, wait),
    folder: exportFolder(out),
    report: ({ objects, fetched, bytes }) =>
      console.error(`${objects} contents, ${bytes} bytes; ${fetched} of them fetched now`),
  });
  return `${projects.length} projects of ${account.email} are in ${out}.`;
}

try {
  console.log(await run());
} catch (error) {
  const line = error instanceof TransferError ? error.message : String(error);
  console.error(line.replaceAll(/\s+/g, ' '));
  process.exitCode = 1;
}

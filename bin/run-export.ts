import path from 'node:path';
import { downloadExport } from './download-export.ts';
import { type ExportTask, exportHelp, parseExportCommand } from './export-command.ts';
import { exportFolder } from './export-folder.ts';
import { exportSource } from './export-source.ts';
import { CommandError, type CommandOutput, errorLine } from './command-line.ts';
import { readStageResources } from './stages/stage-resources.ts';

type Wait = (ms: number) => Promise<unknown>;

const realTime: Wait = async (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Exports an account to a folder.
 * @param args what follows `npm run export --`
 * @param wait what passes between two tries of a request
 * @returns the exit code
 */
export async function runExport(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  output: CommandOutput,
  wait: Wait = realTime,
): Promise<number> {
  try {
    const command = parseExportCommand(args, environment);
    output.print(command.kind === 'help' ? exportHelp : await download(command, output, wait));
    return 0;
  } catch (error) {
    output.printError(errorLine(error, [CommandError]).replaceAll(/\s+/g, ' '));
    return 1;
  }
}

async function download(command: ExportTask, output: CommandOutput, wait: Wait): Promise<string> {
  const out = path.resolve(command.out);
  const { source, apiKey } = command;
  const baseUrl = 'url' in source ? source.url : (await readStageResources(source.stage)).BASE_URL;
  const { account, projects } = await downloadExport({
    source: exportSource({ baseUrl, apiKey }, wait),
    folder: exportFolder(out),
    report: ({ objects, fetched, bytes }) =>
      output.printError(`${objects} files, ${bytes} bytes; ${fetched} downloaded in this run`),
  });
  return `${out} holds ${projects.length} projects of ${account.email}.`;
}

import { CommandError, parseOptions } from './command-line.ts';
import { parseStageName } from './stages/stage-resources.ts';

export type ExportCommand = { kind: 'help' } | ExportTask;

export interface ExportTask {
  kind: 'export';
  /** The URL of the service, or the stage whose outputs name it. */
  source: { url: string } | { stage: string };
  apiKey: string;
  out: string;
}

/** The text of `--help`. */
export const exportHelp = `Downloads an account into a folder.

  npm run export -- --url <base url> --key <api key> --out <folder>

  --url <base url>   the service: https://app.example.com, or locally http://localhost:8787
  --stage <name>     instead of --url: a deployed stage; the AWS credentials come from the shell
  --key <api key>    a key of the account; or set SLIPWAY_KEY to keep it out of the shell's history
  --out <folder>     gets export.json and objects/; an interrupted export is continued
  --help             this text

The folder holds all files of the projects and the hashes of their passwords. Keep it private.
`;

const seeHelp = 'npm run export -- --help lists the options.';

/**
 * Reads a command line.
 * @throws CommandError
 */
export function parseExportCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): ExportCommand {
  const { values } = parseOptions({ args: [...args], options }, seeHelp);
  const { key = environment['SLIPWAY_KEY'], out, help } = values;
  if (help === true || args.length === 0) return { kind: 'help' };
  const source = parseSource(values);
  if (key === undefined || key === '') throw new CommandError(`--key is missing. ${seeHelp}`);
  if (out === undefined || out === '') throw new CommandError(`--out is missing. ${seeHelp}`);
  return { kind: 'export', source, apiKey: key, out };
}

function parseSource({ url, stage }: { url?: string; stage?: string }): ExportTask['source'] {
  if (stage !== undefined && url === undefined) return { stage: parseStageName(stage) };
  if (stage !== undefined) throw new CommandError('Use only one of --url and --stage.');
  if (url === undefined || !/^https?:\/\/[^/]/.test(url) || !URL.canParse(url)) {
    throw new CommandError(`--url must be the URL of a service. ${seeHelp}`);
  }
  return { url };
}

const options = {
  stage: { type: 'string' },
  url: { type: 'string' },
  key: { type: 'string' },
  out: { type: 'string' },
  help: { type: 'boolean' },
} as const;

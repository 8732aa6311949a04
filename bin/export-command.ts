import { parseArgs, types } from 'node:util';
import { TransferError } from './transfer-error.ts';

/** What was asked for. */
export type ExportCommand =
  | { kind: 'help' }
  | { kind: 'export'; baseUrl: string; apiKey: string; out: string };

/** The text of `--help`. */
export const exportHelp = `Fetches everything of an account into a folder.

  npm run export -- --url <base url> --key <api key> --out <folder>

  --url <base url>   the service: https://app.example.com, locally http://localhost:8787
  --key <api key>    of the account; or set SLIPWAY_KEY, which stays out of the shell's history
  --out <folder>     gets export.json and objects/; a folder that has some of it is completed
  --help             this text

The folder holds all that is in the projects, and hashes of their passwords: keep it to yourself.
`;

const seeHelp = 'npm run export -- --help says more.';

/**
 * Reads a command line.
 * @throws TransferError
 */
export function parseExportCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): ExportCommand {
  const { url, key = environment['SLIPWAY_KEY'], out, help } = parsed(args);
  if (help === true || args.length === 0) return { kind: 'help' };
  if (url === undefined || !/^https?:\/\/[^/]/.test(url) || !URL.canParse(url)) {
    throw new TransferError(`--url needs the address of a service. ${seeHelp}`);
  }
  if (key === undefined || key === '') throw new TransferError(`--key is missing. ${seeHelp}`);
  if (out === undefined || out === '') throw new TransferError(`--out is missing. ${seeHelp}`);
  return { kind: 'export', baseUrl: url, apiKey: key, out };
}

function parsed(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        url: { type: 'string' },
        key: { type: 'string' },
        out: { type: 'string' },
        help: { type: 'boolean' },
      },
    });
    return values;
  } catch (error) {
    const [reason = ''] = (types.isNativeError(error) ? error.message : '').split(/\. |\n/);
    throw new TransferError(`${reason}. ${seeHelp}`);
  }
}

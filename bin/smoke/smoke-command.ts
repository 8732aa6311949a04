import { appOrigin } from '../../lib/settings.ts';
import { readStage } from '../../lib/stages/stage-file.ts';
import { CommandError, parseOptions } from '../command-line.ts';
import type { Check } from './check.ts';
import { checks } from './checks/checks.ts';

export type SmokeCommand = { kind: 'help' } | SmokeTask;

export interface SmokeTask {
  kind: 'smoke';
  /** Without a slash at its end. */
  baseUrl: string;
  apiKey: string | undefined;
  checks: readonly Check[];
  waitSeconds: number;
  json: boolean;
}

/** The text of `--help`. */
export const smokeHelp = `Checks a running stage: what only AWS can prove, and a program can see (docs/first-deploy.md).

  npm run smoke -- --stage <name> --api-key <api key>
  npm run smoke -- --url <base url> --api-key <api key>

  --stage <name>        the service of stages/NAME.json, at its appDomain
  --url <base url>      the service: https://app.example.com, or locally http://localhost:8787
  --api-key <api key>   a key of an account with a paid plan or in its trial; or set SLIPWAY_KEY to
                        keep it out of the shell's history. Without it, many checks are skipped
  --only <name>         only this check; can be repeated
  --wait <seconds>      how long a change may take to reach the edge (30)
  --json                one JSON document instead of lines
  --help                this text

It publishes small projects and deletes them at its end. Without a key it publishes one temporary
project, which ends by itself after 15 minutes. The exit code is 1 if something differs.

Checks:

${checks.map(({ name, why }) => `  ${name.padEnd(24)}${why}`).join('\n')}
`;

const seeHelp = 'npm run smoke -- --help lists the options.';

/**
 * Reads a command line.
 * @throws CommandError
 */
export function parseSmokeCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): SmokeCommand {
  const { values } = parseOptions({ args: [...args], options }, seeHelp);
  const { url, stage, only, wait, json = false, help } = values;
  if (help === true || args.length === 0) return { kind: 'help' };
  const apiKey = values['api-key'] ?? environment['SLIPWAY_KEY'];
  return {
    kind: 'smoke',
    baseUrl: stage === undefined ? parseUrl(url) : urlOfStage(stage, url),
    apiKey: apiKey === '' ? undefined : apiKey,
    checks: only === undefined ? checks : only.map(parseCheck),
    waitSeconds: parseWait(wait),
    json,
  };
}

const options = {
  url: { type: 'string' },
  stage: { type: 'string' },
  'api-key': { type: 'string' },
  only: { type: 'string', multiple: true },
  wait: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

function urlOfStage(name: string, url: string | undefined): string {
  if (url !== undefined) {
    throw new CommandError(`--stage and --url both name a service. Use one of them. ${seeHelp}`);
  }
  return appOrigin(readStage(name).settings);
}

function parseUrl(text: string | undefined): string {
  if (text === undefined || !/^https?:\/\/[^/]/.test(text) || !URL.canParse(text)) {
    throw new CommandError(`--url must be the URL of a service, or --stage a stage. ${seeHelp}`);
  }
  return new URL(text).origin;
}

function parseCheck(name: string): Check {
  const check = checks.find((one) => one.name === name);
  if (check === undefined) throw new CommandError(`${name} is not a check. ${seeHelp}`);
  return check;
}

function parseWait(text = '30'): number {
  if (!/^\d{1,3}$/.test(text)) {
    throw new CommandError(`--wait must be a number of seconds from 0 to 999, not ${text}.`);
  }
  return Number(text);
}

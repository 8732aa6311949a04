import { types } from 'node:util';
import { SettingsError } from '../../lib/settings.ts';
import { CommandError, type CommandOutput, errorLine } from '../command-line.ts';
import type { Check, CheckResult } from './check.ts';
import { Difference, Skipped } from './expectations.ts';
import { parseSmokeCommand, smokeHelp, type SmokeTask } from './smoke-command.ts';
import { planOfKey, smokeService } from './smoke-service.ts';
import { type SmokeStage, smokeStage } from './smoke-stage.ts';

/**
 * Runs the smoke test.
 * @param args what follows `npm run smoke --`
 * @returns the exit code: 1 if something differs
 */
export async function runSmoke(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  output: CommandOutput,
): Promise<number> {
  try {
    const command = parseSmokeCommand(args, environment);
    if (command.kind === 'help') {
      output.print(smokeHelp);
      return 0;
    }
    const results = await runChecks(command, output);
    output.print(
      command.json
        ? JSON.stringify({ url: command.baseUrl, results }, undefined, 2)
        : formatSummary(results),
    );
    return results.some(({ outcome }) => outcome === 'differs') ? 1 : 0;
  } catch (error) {
    output.printError(errorLine(error, [CommandError, SettingsError]));
    return 1;
  }
}

async function runChecks(task: SmokeTask, output: CommandOutput): Promise<CheckResult[]> {
  const { baseUrl, apiKey, waitSeconds } = task;
  const stage = smokeStage(smokeService({ baseUrl, apiKey, waitMs: waitSeconds * 1000 }));
  await requireAnswer(stage);
  const skipReason = await skipReasons(stage, apiKey);
  const results: CheckResult[] = [];
  try {
    for (const check of task.checks) {
      const result = await resultOf(check, stage, skipReason(check));
      results.push(result);
      if (!task.json) output.print(formatResult(result));
    }
  } finally {
    for (const path of await stage.cleanUp()) {
      output.printError(`Could not be deleted: ${baseUrl}${path}. Delete it by hand.`);
    }
  }
  return results;
}

async function requireAnswer(stage: SmokeStage): Promise<void> {
  const failure = await stage.send('/health').then(() => undefined, messageOf);
  if (failure === undefined) return;
  throw new CommandError(
    `${stage.baseUrl} does not answer: ${failure}. Check --url, DNS and the certificate.`,
  );
}

function messageOf(error: unknown): string {
  return types.isNativeError(error) ? error.message : String(error);
}

/** Why a check cannot run on this stage; undefined if it can. */
async function skipReasons(stage: SmokeStage, apiKey: string | undefined) {
  const plan = apiKey === undefined ? undefined : await planOfKey(stage);
  return ({ needs }: Check): string | undefined => {
    if (needs === 'https' && stage.baseUrl.startsWith('http:')) return 'needs an https address';
    if (needs !== 'key') return undefined;
    if (plan === undefined) return 'needs --api-key';
    return plan === 'free' ? 'needs the key of an account with a paid plan' : undefined;
  };
}

async function resultOf(
  check: Check,
  stage: SmokeStage,
  skipReason: string | undefined,
): Promise<CheckResult> {
  const { name, why } = check;
  if (skipReason !== undefined) return { name, outcome: 'skipped', detail: skipReason };
  try {
    const fact = await check.run(stage);
    return { name, outcome: 'pass', ...(typeof fact === 'string' && { detail: fact }) };
  } catch (error) {
    if (error instanceof Skipped) return { name, outcome: 'skipped', detail: error.message };
    const detail = error instanceof Difference ? error.message : `no answer: ${messageOf(error)}`;
    return { name, outcome: 'differs', detail, why };
  }
}

const indent = ' '.repeat(10);

/** One check for a person; a difference with its consequence and what to do. */
export function formatResult({ outcome, name, detail, why }: CheckResult): string {
  const first = `${outcome.padEnd(indent.length)}${name}${detail === undefined ? '' : `: ${detail}`}`;
  if (outcome !== 'differs') return first;
  const advice = 'No setting avoids this. Write it down in docs/first-deploy.md.';
  return [first, `${indent}${why}`, `${indent}${advice}`].join('\n');
}

/** The last line. */
function formatSummary(results: readonly CheckResult[]): string {
  const count = (outcome: CheckResult['outcome']) =>
    results.filter((result) => result.outcome === outcome).length;
  return `${count('pass')} pass, ${count('differs')} differ, ${count('skipped')} skipped`;
}

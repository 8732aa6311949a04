import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildPrograms } from './fixtures/clouds/build-programs.ts';
import { CloudProcess, expectNoSecrets, logFileIn } from './fixtures/clouds/cloud-process.ts';
import { operators, roomyPlans } from './fixtures/clouds/cloud-settings.ts';

/** What the teardown has to end and to remove. */
export const started: {
  cloud?: CloudProcess;
  stateDir?: string;
  preparedDir?: string;
  assembliesDir?: string;
} = {};

/**
 * Starts one fresh local cloud for all tests, unless `BASE_URL` names one to test. No test of `basic` starts
 * a cloud of its own.
 */
// oxlint-disable-next-line import/no-default-export -- Jest takes a setup only as the default export
export default async function startCloud(
  _: unknown,
  { displayName }: { displayName?: { name: string } },
): Promise<void> {
  if (process.env['BASE_URL'] !== undefined) return;
  process.env['PROGRAMS_DIR'] = await buildPrograms(process.cwd());
  const stateDir = mkdtempSync(join(tmpdir(), 'slipway-test-'));
  const cloud = new CloudProcess(stateDir, [
    '--port=0',
    '--domain-delay=0',
    `--setting=operators=${JSON.stringify(operators)}`,
    ...roomyPlans,
  ]);
  started.cloud = cloud;
  started.stateDir = stateDir;
  process.env['BASE_STATE_DIR'] = stateDir;
  process.env['BASE_URL'] = await cloud.ready();
  if (displayName?.name === 'basic') return;
  process.env['PREPARED_STATE_DIR'] = await prepareState();
  started.assembliesDir = mkdtempSync(join(tmpdir(), 'slipway-assemblies-'));
  process.env['ASSEMBLIES_DIR'] = started.assembliesDir;
}

/**
 * The state of a cloud that was started once and ended: tables, the files of the web app, secrets. A cloud of
 * a test file that begins with a copy of it starts in half the CPU time.
 */
async function prepareState(): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'slipway-prepared-'));
  started.preparedDir = dir;
  const cloud = new CloudProcess(dir, ['--port=0', ...roomyPlans]);
  await cloud.ready();
  await cloud.end('SIGTERM');
  expectNoSecrets(dir);
  rmSync(logFileIn(dir));
  return dir;
}

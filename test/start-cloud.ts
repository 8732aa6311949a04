import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildPrograms } from './fixtures/clouds/build-programs.ts';
import { CloudProcess } from './fixtures/clouds/cloud-process.ts';
import { operators } from './fixtures/clouds/operators.ts';
import { roomyPlans } from './fixtures/clouds/roomy-plans.ts';

/** What the teardown has to end. */
export const started: { cloud?: CloudProcess; stateDir?: string } = {};

/**
 * Starts one fresh local cloud for all tests, unless `BASE_URL` names one to test. `CLOUD_NODE` is the
 * Node that runs it: CI gives the Node of deployed functions.
 */
// oxlint-disable-next-line import/no-default-export -- Jest takes a setup only as the default export
export default async function startCloud(): Promise<void> {
  if (process.env['BASE_URL'] !== undefined) return;
  process.env['PROGRAMS_DIR'] = await buildPrograms(process.cwd());
  const stateDir = mkdtempSync(join(tmpdir(), 'slipway-test-'));
  const cloud = new CloudProcess(
    stateDir,
    [
      '--port=0',
      '--domain-delay=0',
      `--setting=operators=${JSON.stringify(operators)}`,
      ...roomyPlans,
    ],
    process.env['CLOUD_NODE'],
  );
  started.cloud = cloud;
  started.stateDir = stateDir;
  process.env['BASE_STATE_DIR'] = stateDir;
  process.env['BASE_URL'] = await cloud.ready();
}

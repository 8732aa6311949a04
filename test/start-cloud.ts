import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { roomyPlans } from './fixtures/roomy-plans.ts';

/** The first start builds everything; a slow machine may need a minute for it. */
const READY_TIMEOUT_MS = 120_000;

/** What the teardown has to end. */
export const started: { child?: ChildProcess; stateDir?: string } = {};

function baseUrlOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const fail = (reason: string) => reject(new Error(`The local cloud ${reason}:\n${output}`));
    const timer = setTimeout(() => fail('did not become ready'), READY_TIMEOUT_MS);
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const url = /^ {2}App +(http:\S+)$/m.exec(output)?.[1];
      if (url === undefined) return;
      clearTimeout(timer);
      resolve(url);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', () => {
      clearTimeout(timer);
      fail('ended');
    });
  });
}

/** Starts one fresh local cloud for all tests, unless `BASE_URL` names one to test. */
// oxlint-disable-next-line import/no-default-export -- Jest takes a setup only as the default export
export default async function startCloud(): Promise<void> {
  if (process.env['BASE_URL'] !== undefined) return;
  const stateDir = mkdtempSync(join(tmpdir(), 'slipway-test-'));
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', 'bin/local.ts', '--port', '0', '--state-dir', stateDir, ...roomyPlans],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, NODE_OPTIONS: '' } },
  );
  started.child = child;
  started.stateDir = stateDir;
  process.env['BASE_URL'] = await baseUrlOf(child);
}

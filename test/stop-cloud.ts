import { rmSync } from 'node:fs';
import { started } from './start-cloud.ts';

/** Ends the local cloud that `start-cloud.ts` has started. */
// oxlint-disable-next-line import/no-default-export -- Jest takes a teardown only as the default export
export default async function stopCloud(): Promise<void> {
  const { child, stateDir } = started;
  if (child === undefined || stateDir === undefined) return;
  if (child.exitCode === null && child.signalCode === null) {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  }
  rmSync(stateDir, { recursive: true, force: true });
}

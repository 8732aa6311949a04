import { rmSync } from 'node:fs';
import { expectNoSecrets } from './fixtures/clouds/cloud-process.ts';
import { started } from './start-cloud.ts';

/**
 * Ends the local cloud that `start-cloud.ts` has started. The run fails where anything that it wrote
 * while the tests ran, logs of functions and of the gateway, holds something that grants anything.
 */
// oxlint-disable-next-line import/no-default-export -- Jest takes a teardown only as the default export
export default async function stopCloud(): Promise<void> {
  const { cloud, stateDir, preparedDir, assembliesDir } = started;
  for (const dir of [preparedDir, assembliesDir])
    if (dir !== undefined) rmSync(dir, { recursive: true, force: true });
  if (cloud === undefined || stateDir === undefined) return;
  await cloud.end('SIGTERM');
  try {
    expectNoSecrets(stateDir);
  } finally {
    rmSync(stateDir, { recursive: true, force: true });
  }
}

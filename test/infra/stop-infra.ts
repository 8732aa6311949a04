import { rmSync } from 'node:fs';

/** Deletes what `start-infra.ts` has made. */
// oxlint-disable-next-line import/no-default-export -- Jest takes a teardown only as the default export
export default function stopInfra(): void {
  const dir = process.env['SYNTHESIZED_DIR'];
  if (dir !== undefined) rmSync(dir, { recursive: true, force: true });
}

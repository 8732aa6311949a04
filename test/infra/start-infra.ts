import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Gives the test files of a run a folder in which they share what they synthesize. */
// oxlint-disable-next-line import/no-default-export -- Jest takes a setup only as the default export
export default function startInfra(): void {
  process.env['SYNTHESIZED_DIR'] = mkdtempSync(join(tmpdir(), 'slipway-synthesized-'));
}

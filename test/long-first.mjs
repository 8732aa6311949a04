import TestSequencer from '@jest/test-sequencer';
import { readFileSync } from 'node:fs';

/** Starts with the long proofs: one that starts last would run alone, with the other core idle. */
export default class LongFirst extends TestSequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const long = sorted.filter(({ path }) => isLong(path));
    return [...long, ...sorted.filter((test) => !long.includes(test))];
  }
}

function isLong(path) {
  return (
    path.includes('/test/integration/') && readFileSync(path, 'utf8').includes("/proof-size.ts'")
  );
}

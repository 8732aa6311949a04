import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';

/** Appends `<seconds> <test file>` for each test file to the file that `TEST_TIMES` names. */
export default class TestTimes {
  onTestResult({ path }, { perfStats: { start, end } }) {
    const { TEST_TIMES } = process.env;
    if (TEST_TIMES === undefined) return;
    const seconds = ((end - start) / 1000).toFixed(1);
    appendFileSync(TEST_TIMES, `${seconds} ${relative(process.cwd(), path)}\n`);
  }
}

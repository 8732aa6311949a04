import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';

/** Appends the path of each test file that failed to the file that `FAILED_TESTS` names. */
export default class FailedFiles {
  onTestResult({ path }, { numFailingTests, testExecError }) {
    const { FAILED_TESTS } = process.env;
    if (FAILED_TESTS === undefined || (numFailingTests === 0 && !testExecError)) return;
    appendFileSync(FAILED_TESTS, `${relative(process.cwd(), path)}\n`);
  }
}

import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';

/** The list that a variable of the environment names gets one line more. */
function append(variable, line) {
  const file = process.env[variable];
  if (file !== undefined) appendFileSync(file, `${line}\n`);
}

/**
 * Ends a run with one plain line, which every tool can read: `N passed, N failed, N skipped`. The file
 * `TEST_TIMES` gets `<seconds> <test file>` for each test file, `FAILED_TESTS` the path of each that failed.
 */
export default class Reporter {
  onTestResult({ path }, { numFailingTests, testExecError, perfStats: { start, end } }) {
    const file = relative(process.cwd(), path);
    append('TEST_TIMES', `${((end - start) / 1000).toFixed(1)} ${file}`);
    if (numFailingTests > 0 || testExecError) append('FAILED_TESTS', file);
  }

  onRunComplete(
    _contexts,
    { numPassedTests, numFailedTests, numPendingTests, numRuntimeErrorTestSuites },
  ) {
    const failed = numFailedTests + numRuntimeErrorTestSuites;
    process.stdout.write(
      `${numPassedTests} passed, ${failed} failed, ${numPendingTests} skipped\n`,
    );
  }
}

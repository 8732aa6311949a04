/** Ends a run with one plain line, which every tool can read: `N passed, N failed, N skipped`. */
export default class PlainSummary {
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

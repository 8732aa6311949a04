/** `@jest/globals` of the test file that runs. */
export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } =
  globalThis[Symbol.for('slipway.test-globals')];

/**
 * Configures an SDK client whose calls are small: each attempt ends after some seconds. Without it, a call
 * whose connection falls silent waits until the function is stopped.
 */
export const awsDeadlines = {
  maxAttempts: 2,
  requestHandler: {
    connectionTimeout: 1000,
    requestTimeout: 4000,
    throwOnRequestTimeout: true,
  },
};

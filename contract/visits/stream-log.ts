/**
 * The log message for a ZIP or large file that failed before its first byte. An alarm counts these
 * lines (`lib/operations/alarms.ts`).
 */
export const streamFailedMessage = 'stream failed';

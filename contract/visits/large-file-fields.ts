/** What a large file is sent for; the address says it: `/_slipway/<use>/…`. */
export type LargeFileUse = 'files' | 'isolated' | 'download';

/** Headers of large files that storage does not send itself, for each use. The address changes with the content, so nobody indexes it. */
export const largeFileFields: Readonly<Record<LargeFileUse, Readonly<Record<string, string>>>> = {
  files: { 'x-robots-tag': 'noindex' },
  // Workers and frames of an isolated page need them (HTML, "Cross-origin isolation").
  isolated: {
    'cross-origin-embedder-policy': 'require-corp',
    'cross-origin-opener-policy': 'same-origin',
    'x-robots-tag': 'noindex',
  },
  // Saved and never shown, whatever type the object has.
  download: {
    'cache-control': 'private, no-store',
    'content-disposition': 'attachment',
    'content-security-policy': 'sandbox',
    'x-robots-tag': 'noindex',
  },
};

/**
 * The log message for a ZIP or large file that failed before its first byte. An alarm counts these
 * lines (`lib/operations/alarms.ts`).
 */
export const streamFailedMessage = 'stream failed';

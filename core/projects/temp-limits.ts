import type { UploadLimits } from '../content/prepare-upload.ts';
import type { Rule } from '../limits/sliding-window.ts';

/** What a visitor without an account may do. */
export interface TempLimits extends UploadLimits {
  lifetimeSeconds: number;
  /** After this no function can still be storing an upload. */
  storingSeconds: number;
  uploads: readonly Rule[];
  attempts: Rule;
}

const mebibyte = 1024 * 1024;

/** The specification's "Limits" and the archive limits of the completions. */
export const tempLimits: TempLimits = {
  lifetimeSeconds: 15 * 60,
  storingSeconds: 15 * 60,
  maxParts: 5,
  maxBytes: 2 * mebibyte,
  maxArchiveEntries: 500,
  maxArchiveBytes: 10 * mebibyte,
  uploads: [
    { limit: 3, windowSeconds: 60 },
    { limit: 5, windowSeconds: 3600 },
  ],
  attempts: { limit: 30, windowSeconds: 60 },
};

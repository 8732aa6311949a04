import type { UploadLimits } from '../../content/prepare-upload.ts';
import type { Rule } from '../../limits/sliding-window.ts';

/** What a visitor without an account may do. */
export interface TempLimits extends UploadLimits {
  lifetimeSeconds: number;
  uploads: readonly Rule[];
  attempts: Rule;
  /** Large uploads that are begun: their bytes wait in storage, published or not. */
  begun: Rule;
}

const mebibyte = 1024 * 1024;

/** Limits of an upload without an account (docs/contract.md, "Temporary projects"); a deployment may choose the allowance. */
export function tempLimits(allowance: { perMinute: number; perHour: number }): TempLimits {
  return {
    lifetimeSeconds: 15 * 60,
    maxParts: 5,
    maxBytes: 2 * mebibyte,
    maxArchiveEntries: 500,
    maxArchiveBytes: 10 * mebibyte,
    uploads: [
      { limit: allowance.perMinute, windowSeconds: 60 },
      { limit: allowance.perHour, windowSeconds: 3600 },
    ],
    begun: { limit: Math.max(30, 6 * allowance.perHour), windowSeconds: 3600 },
    attempts: { limit: Math.max(30, allowance.perMinute), windowSeconds: 60 },
  };
}

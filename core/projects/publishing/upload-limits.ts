import type { PlanLimits } from '../../../contract/plans.ts';
import type { UploadLimits } from '../../content/prepare-upload.ts';
import { temporaryLifetimeSeconds, temporaryUploadLimits } from '../../../contract/limits.ts';
import type { RateLimitRule } from '../../limits/sliding-window.ts';
import { receivedCapacity } from '../../uploads/job.ts';

/**
 * How far an archive may unpack, in multiples of the upload limit (docs/contract.md, "Uploads").
 */
const archiveFactor = 4;

const largerPlan =
  'Send fewer or smaller files, or change to a larger plan. Your account shows the limits of your plan. POST /v1/uploads takes large files. Nothing was kept.';

const signInForMore =
  'Sign in to publish more than this: request a code with POST /v1/auth/otp/request, then send the files with POST /v1/projects, large ones with POST /v1/uploads. Nothing was kept.';

/** The upload limits of a plan; -1 means unlimited. */
export function uploadLimits({
  maxFilesPerProject,
  maxUploadBytes,
  maxStorageBytes,
}: PlanLimits): UploadLimits {
  const files = maxFilesPerProject === -1 ? Number.POSITIVE_INFINITY : maxFilesPerProject;
  const bytes = maxUploadBytes === -1 ? Number.POSITIVE_INFINITY : maxUploadBytes;
  return {
    maxParts: files,
    maxBytes: bytes,
    maxArchiveEntries: files,
    maxArchiveBytes: archiveFactor * bytes,
    request: { ...receivedCapacity, maxStagedBytes: maxStorageBytes },
    nextStep: largerPlan,
  };
}

/** The upload limits of a caller without an account. */
export interface TempLimits extends UploadLimits {
  lifetimeSeconds: number;
  uploads: readonly RateLimitRule[];
  attempts: RateLimitRule;
  /** Large uploads that were started: their bytes take up storage, published or not. */
  largeUploads: RateLimitRule;
}

/**
 * Limits of uploads without an account (docs/contract.md, "Temporary projects"). Each installation
 * chooses how many uploads one IP address may make.
 */
export function tempLimits(allowance: { perMinute: number; perHour: number }): TempLimits {
  return {
    lifetimeSeconds: temporaryLifetimeSeconds,
    ...temporaryUploadLimits,
    nextStep: signInForMore,
    uploads: [
      { limit: allowance.perMinute, windowSeconds: 60 },
      { limit: allowance.perHour, windowSeconds: 3600 },
    ],
    largeUploads: { limit: Math.max(30, 6 * allowance.perHour), windowSeconds: 3600 },
    attempts: { limit: Math.max(30, allowance.perMinute), windowSeconds: 60 },
  };
}

import type { PlanLimits } from '../../../contract/plans.ts';
import type { UploadLimits } from '../../content/prepare-upload.ts';

/** What an archive may hold (docs/contract.md, "Uploads"). */
const archiveFactor = 4;

/** A plan's limits as an upload meets them; -1 means unlimited. */
export function uploadLimits({ maxFilesPerProject, maxUploadBytes }: PlanLimits): UploadLimits {
  const files = maxFilesPerProject === -1 ? Number.POSITIVE_INFINITY : maxFilesPerProject;
  const bytes = maxUploadBytes === -1 ? Number.POSITIVE_INFINITY : maxUploadBytes;
  return {
    maxParts: files,
    maxBytes: bytes,
    maxArchiveEntries: files,
    maxArchiveBytes: archiveFactor * bytes,
  };
}

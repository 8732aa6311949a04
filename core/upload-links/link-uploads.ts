import type { Caller } from '../caller.ts';
import { CodedError } from '../errors.ts';
import { countAttempt } from '../limits/counters.ts';
import { type Announcement, beginUpload, type BeginUploadDeps } from '../uploads/begin-upload.ts';
import { getUpload, type GetUploadDeps } from '../uploads/get-upload.ts';
import {
  findLink,
  type FindLinkDeps,
  findUsableLink,
  redactForGuest,
  type UsableLinkDeps,
} from './find-usable-link.ts';

/** Without a limit one link could fill storage with uploads that are never published. */
const startLimit = { limit: 10, windowSeconds: 3600 };

/**
 * Gives signed URLs for an upload within the limits of the link's account.
 * @throws CodedError UPLOAD_LINK_NOT_FOUND, FREE_TIER_RESTRICTED, RATE_LIMITED; those of beginUpload
 */
export async function beginLinkUpload(
  deps: UsableLinkDeps & BeginUploadDeps,
  caller: Caller,
  { token, ...announcement }: Announcement & { token: string },
) {
  const { guest, tokenHash } = await findUsableLink(deps, caller, token);
  const key = `link-uploads#${tokenHash}`;
  const counted = { key, rule: startLimit, what: 'large uploads with one link' };
  await countAttempt(deps.counters, caller, counted, deps.now());
  return beginUpload(deps, guest, announcement).catch((error: unknown) => {
    throw error instanceof CodedError && error.code === 'STORAGE_LIMIT_REACHED'
      ? redactForGuest(error)
      : error;
  });
}

/**
 * The progress of an upload with a link, also after that upload has used the link up.
 * @throws CodedError UPLOAD_LINK_NOT_FOUND, NOT_FOUND
 */
export async function getLinkUpload(
  deps: FindLinkDeps & GetUploadDeps,
  caller: Caller,
  { token, uploadId }: { token: string; uploadId: string },
) {
  const { account } = await findLink(deps, token);
  return getUpload(deps, { ...caller, account }, { uploadId });
}

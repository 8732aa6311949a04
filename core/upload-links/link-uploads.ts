import type { Caller } from '../caller.ts';
import { CodedError } from '../errors.ts';
import { countAttempt } from '../limits/counters.ts';
import { type Announcement, beginUpload, type BeginUploadDeps } from '../uploads/begin-upload.ts';
import { getUpload, type GetUploadDeps } from '../uploads/get-upload.ts';
import { forGuest } from './for-guest.ts';
import { type FindLinkDeps, findLink, openLink, type OpenLinkDeps } from './open-link.ts';

/** Whoever has a link might fill storage with what they never publish. */
const begun = { limit: 10, windowSeconds: 3600 };

/**
 * Gives signed URLs for an upload within the limits of the account that a link stands for.
 * @throws CodedError UPLOAD_LINK_NOT_FOUND, FREE_TIER_RESTRICTED, RATE_LIMITED; those of beginUpload
 */
export async function beginLinkUpload(
  deps: OpenLinkDeps & BeginUploadDeps,
  caller: Caller,
  { token, ...announcement }: Announcement & { token: string },
) {
  const { guest, tokenHash } = await openLink(deps, caller, token);
  const key = `link-uploads#${tokenHash}`;
  const counted = { key, rule: begun, what: 'large uploads with one link' };
  await countAttempt(deps.counters, caller, counted, deps.now());
  return beginUpload(deps, guest, announcement).catch((error: unknown) => {
    // Its account's figures are not for whoever has the link.
    throw error instanceof CodedError && error.code === 'STORAGE_LIMIT_REACHED'
      ? forGuest(error)
      : error;
  });
}

/**
 * How far an upload with a link is; the link may be used up by it.
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

import type { Caller } from '../caller.ts';
import { withDistinctNames } from '../content/distinct-names.ts';
import { isArchiveName } from '../content/prepare-upload.ts';
import { CodedError } from '../errors.ts';
import { countByLink } from '../limits/link-limits.ts';
import { effectiveLimits, requireQuota } from '../projects/quota.ts';
import {
  type Announcement,
  announcedFiles,
  beginUpload,
  type BeginUploadDeps,
} from '../uploads/begin-upload.ts';
import { getUpload, type GetUploadDeps } from '../uploads/get-upload.ts';
import { checkRequestedFiles } from './file-request.ts';
import { uploadCharge } from './upload-charge.ts';
import {
  findLink,
  type FindLinkDeps,
  findUsableLink,
  redactForGuest,
  type UsableLink,
  type UsableLinkDeps,
} from './find-usable-link.ts';

/** Without a limit one sender could fill storage with uploads that are never published. */
const startLimit = { limit: 10, windowSeconds: 3600 };

/**
 * The most of one sender of a file request, perhaps a school behind one address, and of all of them: each start is paid
 * writes, also if nothing is sent.
 */
const mostStarts = { ofSender: 60, ofAll: 300 };

/**
 * Gives signed URLs for an upload within the limits of the link's account.
 * @throws CodedError UPLOAD_LINK_NOT_FOUND, FREE_TIER_RESTRICTED, RATE_LIMITED; those of beginUpload
 */
export async function beginLinkUpload(
  deps: UsableLinkDeps & BeginUploadDeps,
  caller: Caller,
  { token, ...sent }: Announcement & { token: string },
) {
  const usable = await findUsableLink(deps, caller, { token });
  const { guest } = usable;
  const { request } = usable.link;
  const announcement =
    request === undefined ? sent : { ...sent, files: sent.files && withDistinctNames(sent.files) };
  const what = 'large uploads with one link';
  const { received = 0 } = usable.link;
  const places = request === undefined ? 0 : request.maxUploads - received;
  const limit = Math.min(startLimit.limit + places, mostStarts.ofSender);
  const rule = { ...startLimit, limit };
  const counted = { key: 'link-uploads', rule, most: mostStarts.ofAll, what };
  await countByLink(deps.counters, guest, counted, deps.now());
  if (request !== undefined) checkRequestedFiles(request, announcedFiles(announcement));
  try {
    requireRoom(deps, usable, announcement);
    return await beginUpload(deps, guest, announcement);
  } catch (error) {
    const isOfPlan = error instanceof CodedError && planCodes.has(error.code);
    throw isOfPlan ? redactForGuest(error) : error;
  }
}

const planCodes: ReadonlySet<CodedError['code']> = new Set([
  'PROJECT_LIMIT_REACHED',
  'STORAGE_LIMIT_REACHED',
]);

/**
 * Refuses an upload for which the plan has no room before its bytes are sent. Only publishing knows
 * the exact size. A ZIP's records seldom take as much space as its files, so half of its size is certain.
 * @throws CodedError PROJECT_LIMIT_REACHED, STORAGE_LIMIT_REACHED
 */
function requireRoom(
  { plans, now }: Pick<BeginUploadDeps, 'plans' | 'now'>,
  { guest: { account }, project, link: { request } }: UsableLink,
  { files = [], archive }: Announcement,
): void {
  const [only] = files;
  const isArchive = files.length === 1 && isArchiveName(only?.path ?? '');
  const sent = files.reduce((sum, { size }) => sum + size, archive?.size ?? 0);
  const bytes = archive !== undefined || isArchive ? Math.floor(sent / 2) : sent;
  const limits = effectiveLimits(plans, account, now());
  const isAdded = request !== undefined;
  requireQuota(
    uploadCharge(limits, { account, project: project ?? null, isAdded, bytes }),
    account,
  );
}

/**
 * The progress of an upload with a link, also after that upload has used the link up. A file request names no project.
 * @throws CodedError UPLOAD_LINK_NOT_FOUND, NOT_FOUND
 */
export async function getLinkUpload(
  deps: FindLinkDeps & GetUploadDeps,
  caller: Caller,
  { token, uploadId }: { token: string; uploadId: string },
) {
  const { account, link, tokenHash: linkHash } = await findLink(deps, { token, uploadId });
  const linkUploads = link.request?.maxUploads;
  const upload = await getUpload(deps, { ...caller, account, linkHash, linkUploads }, { uploadId });
  // Senders to a file request have a receipt, which names no project.
  return link.request === undefined ? upload : { ...upload, projectId: null };
}

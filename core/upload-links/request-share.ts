import { daySeconds } from '../../contract/limits.ts';
import { CodedError } from '../errors.ts';
import { instant } from '../instants.ts';
import { addressPlaces } from '../limits/address-limits.ts';
import type { Counters } from '../limits/counters.ts';
import type { RequestPlace, UploadJob } from '../uploads/job.ts';
import type { UploadStore } from '../uploads/upload.ts';
import type { FileRequest } from './file-request.ts';
import type { UsableLink } from './find-usable-link.ts';
import type { UploadLinkStore } from './upload-link.ts';

/** Of a request for few people, one address may take all places: a class sends from one. */
const sharedPlaces = 30;

/**
 * Counts an upload of an address and its network, which take half of a request for many in a day: nobody fills one with
 * small uploads. `undefined` where nothing was counted.
 * @throws CodedError RATE_LIMITED
 */
export async function takeShare(
  deps: { counters: Pick<Counters, 'count'>; now(): Date },
  { guest, tokenHash }: Pick<UsableLink, 'guest' | 'tokenHash'>,
  { maxUploads }: Pick<FileRequest, 'maxUploads'>,
): Promise<RequestPlace['share']> {
  if (maxUploads <= sharedPlaces) return undefined;
  const limit = Math.max(sharedPlaces, Math.ceil(maxUploads / 2));
  const at = deps.now();
  const places = addressPlaces(`request-places#${tokenHash}`, guest.address, []);
  const share = { keys: places.map(({ key }) => key), at: instant(at) };
  const counted = await countShare(deps.counters, share, 1);
  if (counted.every((uploads) => uploads <= limit)) return share;
  await giveBackShare(deps.counters, share);
  throw new CodedError('RATE_LIMITED', {
    error: `At most ${limit} uploads to one file request from one network in a day.`,
    retryAfterSeconds: daySeconds - (Math.floor(at.getTime() / 1000) % daySeconds),
  });
}

/** Gives back what an upload took that was not published. */
export async function giveBackShare(
  counters: Pick<Counters, 'count'>,
  share: RequestPlace['share'],
): Promise<void> {
  if (share !== undefined) await countShare(counters, share, -1);
}

function countShare(
  counters: Pick<Counters, 'count'>,
  { keys, at }: NonNullable<RequestPlace['share']>,
  uploads: 1 | -1,
): Promise<number[]> {
  return Promise.all(keys.map((key) => counters.count(key, daySeconds, new Date(at), uploads)));
}

/** A file request takes another upload in place of one that a worker could not publish. May be repeated. */
export async function giveBackPlace(
  deps: {
    uploads: Pick<UploadStore, 'get'>;
    links: Pick<UploadLinkStore, 'giveBack'>;
    counters: Pick<Counters, 'count'>;
  },
  { uploadId, received }: Pick<UploadJob, 'uploadId' | 'received'>,
): Promise<void> {
  const linkHash = received && (await deps.uploads.get(uploadId))?.linkHash;
  if (received === undefined || linkHash === undefined) return;
  const isFirst = await deps.links.giveBack(linkHash, received.number);
  if (isFirst) await giveBackShare(deps.counters, received.share);
}

/** The upload link that an upload came by, in whose part a worker counts its bytes, and who sent it to a file request. */
export async function senderOf(
  deps: { uploads: Pick<UploadStore, 'get'>; links: Pick<UploadLinkStore, 'find'> },
  { uploadId, received }: Pick<UploadJob, 'uploadId' | 'received'>,
) {
  const linkHash = (await deps.uploads.get(uploadId))?.linkHash;
  const link = linkHash && received && (await deps.links.find(linkHash));
  const linkUploads = link ? link.request?.maxUploads : undefined;
  return { address: received?.address ?? '', linkHash, linkUploads };
}

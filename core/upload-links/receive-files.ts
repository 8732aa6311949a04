import type { ProjectId } from '../../contract/fields.ts';
import { nameFromText, withDistinctNames } from '../content/distinct-names.ts';
import { CodedError } from '../errors.ts';
import { instant } from '../instants.ts';
import type { Counters } from '../limits/counters.ts';
import type { MailNotices } from '../ports.ts';
import { newProjectId } from '../projects/publishing/first-version.ts';
import { createProject, type CreateProjectDeps } from '../projects/publishing/create-project.ts';
import { replaceProjectFiles, type ReplaceFilesDeps } from '../projects/versions/replace-files.ts';
import type { RequestPlace } from '../uploads/job.ts';
import { UploadId } from '../uploads/upload.ts';
import type { UploadInput } from '../uploads/with-upload.ts';
import {
  arrivalOf,
  checkRequestedFiles,
  checkSender,
  folderOf,
  type FileRequest,
  type Receipt,
  type Sender,
  type SentFile,
} from './file-request.ts';
import {
  redactForGuest,
  requestFull,
  type UsableLink,
  type UsableLinkDeps,
} from './find-usable-link.ts';
import { noteReceived } from './note-arrival.ts';
import { receiptOf } from './receipt-limits.ts';
import { giveBackShare, takeShare } from './request-share.ts';

/** The dependencies for receiving files by a file request. */
export type ReceiveFilesDeps = UsableLinkDeps &
  CreateProjectDeps &
  ReplaceFilesDeps & {
    notices: Pick<MailNotices, 'note'>;
    counters: Pick<Counters, 'reserve' | 'release'>;
  };

/**
 * Receives one upload for a file request, as a project or folder of its own, and returns its receipt. One of the request's
 * uploads is taken and listed once this one has passed its checks, and given back when it is refused all the same, here or
 * by a worker.
 * @throws CodedError UPLOAD_LINK_NOT_FOUND; those of checkSender, checkRequestedFiles, createProject and replaceProjectFiles
 */
export async function receiveFiles(
  deps: ReceiveFilesDeps,
  { usable, request }: { usable: UsableLink; request: FileRequest },
  { sender, upload: arriving }: { sender: Sender; upload: UploadInput },
): Promise<{ receipt: Receipt }> {
  checkSender(request, sender);
  const upload = { ...arriving, files: receivedFiles(arriving) };
  const sent = await sentFiles(deps, upload);
  // The names of a large upload were checked when it began, and its storage holds what was announced.
  if (upload.uploadId === undefined) checkRequestedFiles(request, sent);
  const projectId = usable.project?.id ?? newProjectId();
  const delivery = { request, sender, upload, projectId };
  const { arrival, uploadId } = await publishOrGiveBack(deps, usable, { delivery, sent });
  // A worker notes what it publishes: before that it may still be refused.
  if (uploadId === undefined) await noteReceived(deps, usable, arrival.number);
  return { receipt: { ...arrival, ...(uploadId !== undefined && { uploadId }) } };
}

/** Files of one name get numbers: cameras of phones give many the same. */
function receivedFiles({ files }: UploadInput): UploadInput['files'] {
  const named = withDistinctNames(files.map((file) => ({ file, path: file.name })));
  // The type that a sender declares would unpack a ZIP of another name.
  return named.map(({ file, path }) => ({ ...file, name: path, contentType: '' }));
}

/** The names and sizes of the files, as they arrived. */
async function sentFiles(
  { area }: Pick<ReceiveFilesDeps, 'area'>,
  { files, uploadId }: UploadInput,
): Promise<readonly SentFile[]> {
  const id = UploadId.safeParse(uploadId).data;
  if (id !== undefined) return (await area.list(id)) ?? [];
  return files.map(({ name, bytes }) => ({ path: name, size: bytes.length }));
}

interface Delivery {
  request: FileRequest;
  sender: Sender;
  upload: UploadInput;
  projectId: ProjectId;
}

async function publishOrGiveBack(
  deps: ReceiveFilesDeps,
  usable: UsableLink,
  { delivery, sent }: { delivery: Delivery; sent: readonly SentFile[] },
) {
  const { tokenHash, link, startedAt } = usable;
  const { senderName = null, senderEmail = null } = delivery.sender;
  const { projectId } = delivery;
  const arrival = { number: 0, receivedAt: instant(deps.now()), ...arrivalOf(sent) };
  let share: RequestPlace['share'];
  const onChecked = async () => {
    share = await takeShare(deps, usable, delivery.request);
    arrival.number = (await deps.links.take(tokenHash, instant(startedAt))) ?? 0;
    if (arrival.number === 0) throw requestFull();
    const received = { ...arrival, senderName, senderEmail, projectId };
    const mailed = await receiptOf(deps, usable, senderEmail);
    await deps.links.addReceived(tokenHash, link, { ...received, ...mailed });
    return { number: arrival.number, address: usable.guest.address, share };
  };
  try {
    const { uploadId } = await publishList(deps, usable, delivery, onChecked);
    return { arrival, uploadId };
  } catch (error) {
    // After any other error something may have been published.
    if (!(error instanceof CodedError)) throw error;
    const back = arrival.number > 0 ? deps.links.giveBack(tokenHash, arrival.number) : undefined;
    await Promise.all([back, giveBackShare(deps.counters, share)]).catch((failure: unknown) =>
      deps.onFailure({ kind: 'upload link' }, failure),
    );
    throw redactForGuest(error);
  }
}

/** A list of files and never a site: what strangers send runs nowhere. */
function publishList(
  deps: ReceiveFilesDeps,
  { link, guest, project, startedAt }: UsableLink,
  { request, sender, upload: { files, uploadId, allowSecrets }, projectId }: Delivery,
  onChecked: () => Promise<RequestPlace>,
) {
  const { senderName } = sender;
  const { maxBytes, private: expectsPrivate } = request;
  const bounds = { maxBytes, includeHidden: 'never', onChecked } as const;
  const list = { files, uploadId, allowSecrets, asFileBundle: true, projectId, ...bounds };
  const publishedBy = { kind: 'link', id: link.id, name: senderName ?? link.title } as const;
  const caller = { ...guest, publishedBy };
  if (project !== undefined) {
    const into = { folder: folderOf(sender, startedAt), expectsPrivate };
    return replaceProjectFiles(deps, caller, { ...list, into });
  }
  // Titles are in subjects of mails, where programs make links of addresses.
  const names = [link.title ?? '', nameFromText(senderName ?? '')].filter((name) => name !== '');
  const title = names.length === 0 ? undefined : names.join(' – ').slice(0, 255);
  const domainId = link.domainId ?? undefined;
  const access = expectsPrivate ? 'private' : 'public';
  // Names of senders and files are in no address: anybody may try names, and see who sent something.
  const addressTitle = link.title ?? '';
  return createProject(deps, caller, { ...list, title, addressTitle, domainId, access });
}

import { ProjectId } from '../../contract/fields.ts';
import type { Caller } from '../caller.ts';
import { CodedError } from '../errors.ts';
import { instant } from '../instants.ts';
import { createProject } from '../projects/publishing/create-project.ts';
import { warningsOf } from '../projects/project.ts';
import { requireOwnedProject } from '../projects/owned-projects.ts';
import { replaceProjectFiles } from '../projects/versions/replace-files.ts';
import { UploadId } from '../uploads/upload.ts';
import type { UploadInput } from '../uploads/with-upload.ts';
import { findUsableLink, linkInUse, redactForGuest, type UsableLink } from './find-usable-link.ts';
import type { Sender } from './file-request.ts';
import { noteArrival } from './note-arrival.ts';
import { receiveFiles, type ReceiveFilesDeps } from './receive-files.ts';
import { lockEnd } from './upload-link.ts';

/** The dependencies for publishing by an upload link. */
export type PublishByLinkDeps = ReceiveFilesDeps;

/**
 * Publishes an upload for the link's account, exactly once: the link is locked before, released when
 * the upload is refused, and used up when it is published. What a file request gets goes its own way.
 * @throws CodedError UPLOAD_LINK_NOT_FOUND, FREE_TIER_RESTRICTED; those of createProject or replaceProjectFiles
 */
export async function publishByLink(
  deps: PublishByLinkDeps,
  caller: Caller,
  { token, senderName, senderEmail, ...upload }: UploadInput & Sender & { token: string },
) {
  const { uploadId: sentId } = upload;
  const usable = await findUsableLink(deps, caller, { token, uploadId: sentId });
  if (usable.link.request !== undefined) {
    const { request } = usable.link;
    return receiveFiles(deps, { usable, request }, { sender: { senderName, senderEmail }, upload });
  }
  const startedAt = instant(usable.startedAt);
  if (!(await deps.links.lock(usable.tokenHash, startedAt, lockEnd(deps.now())))) throw linkInUse();
  const published = await publishOrRelease(deps, usable, upload);
  const { uploadId = upload.uploadId, projectId, describe } = published;
  const byUpload = UploadId.nullable().parse(uploadId ?? null);
  await deps.links.markUsed(usable.tokenHash, usable.link, byUpload);
  await noteArrival(deps, usable.link, projectId);
  return describe();
}

async function publishOrRelease(deps: PublishByLinkDeps, usable: UsableLink, upload: UploadInput) {
  const { tokenHash, project } = usable;
  try {
    return await (project === undefined ? createByLink : replaceByLink)(deps, usable, upload);
  } catch (error) {
    // After any other error something may have been published.
    if (!(error instanceof CodedError)) throw error;
    await deps.links
      .release(tokenHash)
      .catch((failure: unknown) => deps.onFailure({ kind: 'upload link' }, failure));
    throw redactForGuest(error);
  }
}

async function createByLink(
  deps: PublishByLinkDeps,
  { link, guest }: UsableLink,
  upload: UploadInput,
) {
  const title = link.title ?? undefined;
  const domainId = link.domainId ?? undefined;
  const details = { title, domainId, access: 'public' } as const;
  const project = await createProject(deps, guest, { ...upload, ...details });
  const describe = async () => ({ ...project, deploymentId: null });
  return { uploadId: project.uploadId, projectId: project.projectId, describe };
}

/** The project is read again after the link is used up: it may have been deleted since. */
async function replaceByLink(
  deps: PublishByLinkDeps,
  { link, guest }: UsableLink,
  upload: UploadInput,
) {
  const projectId = ProjectId.parse(link.projectId);
  const pushed = await replaceProjectFiles(deps, guest, { ...upload, projectId });
  const { deploymentId, url, uploadId } = pushed;
  const describe = async () => {
    const { id, title, type, slug, expiresAt } = await requireOwnedProject(
      deps.projects,
      guest,
      projectId,
    );
    const published = { projectId: id, url, title, type, slug, expiresAt, deploymentId };
    return { ...published, uploadId, ...warningsOf(pushed) };
  };
  return { uploadId, projectId, describe };
}

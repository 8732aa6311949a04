import { ProjectId } from '../../contract/fields.ts';
import type { Caller } from '../caller.ts';
import { CodedError } from '../errors.ts';
import { instant } from '../instants.ts';
import { createProject, type CreateProjectDeps } from '../projects/publishing/create-project.ts';
import { warningsOf } from '../projects/project.ts';
import { requireOwnedProject } from '../projects/owned-projects.ts';
import { replaceProjectFiles, type ReplaceFilesDeps } from '../projects/versions/replace-files.ts';
import { UploadId } from '../uploads/upload.ts';
import type { UploadInput } from '../uploads/with-upload.ts';
import {
  findUsableLink,
  linkInUse,
  redactForGuest,
  type UsableLink,
  type UsableLinkDeps,
} from './find-usable-link.ts';
import type { MailNotices } from '../ports.ts';
import { lockEnd, type UploadLink } from './upload-link.ts';

/** The dependencies for publishing by an upload link. */
export type PublishByLinkDeps = UsableLinkDeps &
  CreateProjectDeps &
  ReplaceFilesDeps & { notices: Pick<MailNotices, 'note'> };

/**
 * Publishes an upload for the link's account, exactly once: the link is locked before, released when
 * the upload is refused, and used up when it is published.
 * @throws CodedError UPLOAD_LINK_NOT_FOUND, FREE_TIER_RESTRICTED; those of createProject or replaceProjectFiles
 */
export async function publishByLink(
  deps: PublishByLinkDeps,
  caller: Caller,
  { token, ...upload }: UploadInput & { token: string },
) {
  const usable = await findUsableLink(deps, caller, token);
  const now = deps.now();
  if (!(await deps.links.lock(usable.tokenHash, instant(now), lockEnd(now)))) throw linkInUse();
  const published = await publishOrRelease(deps, usable, upload);
  const { uploadId = upload.uploadId, projectId, describe } = published;
  const byUpload = UploadId.nullable().parse(uploadId ?? null);
  await deps.links.markUsed(usable.tokenHash, usable.link, byUpload);
  await noteArrival(deps, usable.link, projectId);
  return describe();
}

/** The files are published: a mail that cannot be noted fails nothing. */
async function noteArrival(
  { notices, onFailure, now }: Pick<PublishByLinkDeps, 'notices' | 'onFailure' | 'now'>,
  { id, notify }: UploadLink,
  projectId: ProjectId,
): Promise<void> {
  if (notify === undefined) return;
  const at = instant(now());
  await notices
    .note({ projectId, link: { kind: 'upload', id } }, { at, dueAt: at })
    .catch((error: unknown) => onFailure({ kind: 'notice', projectId }, error));
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

import type { Caller } from '../caller.ts';
import { CodedError } from '../errors.ts';
import { instant } from '../instants.ts';
import { createProject, type CreateProjectDeps } from '../projects/publishing/create-project.ts';
import { ownedProject } from '../projects/owned-project.ts';
import { replaceFiles, type ReplaceFilesDeps } from '../projects/versions/replace-files.ts';
import { UploadId } from '../uploads/upload.ts';
import type { AnyUpload } from '../uploads/with-upload.ts';
import { forGuest } from './for-guest.ts';
import { linkInUse, type OpenLink, openLink, type OpenLinkDeps } from './open-link.ts';

/** What publishing by an upload link needs. */
export type PublishByLinkDeps = OpenLinkDeps & CreateProjectDeps & ReplaceFilesDeps;

/**
 * Publishes an upload in the name of the account that a link stands for, exactly once: the link is
 * taken before, given back when the upload is refused, and used up when it is published.
 * @throws CodedError UPLOAD_LINK_NOT_FOUND, FREE_TIER_RESTRICTED; those of createProject or replaceFiles
 */
export async function publishByLink(
  deps: PublishByLinkDeps,
  caller: Caller,
  { token, ...upload }: AnyUpload & { token: string },
) {
  const open = await openLink(deps, caller, token);
  if (!(await deps.links.take(open.tokenHash, instant(deps.now())))) throw linkInUse();
  const tell = await publishOrGiveBack(deps, open, upload);
  await deps.links.use(open.tokenHash, UploadId.nullable().parse(upload.uploadId ?? null));
  return tell();
}

async function publishOrGiveBack(deps: PublishByLinkDeps, open: OpenLink, upload: AnyUpload) {
  const { tokenHash, project } = open;
  try {
    return await (project === undefined ? create : replace)(deps, open, upload);
  } catch (error) {
    // Of another failure nobody knows whether something was published.
    if (!(error instanceof CodedError)) throw error;
    await deps.links
      .giveBack(tokenHash)
      .catch((failure: unknown) => deps.onFailure({ kind: 'upload link' }, failure));
    throw forGuest(error);
  }
}

async function create(deps: PublishByLinkDeps, { link, guest }: OpenLink, upload: AnyUpload) {
  const title = link.title ?? undefined;
  const project = await createProject(deps, guest, { ...upload, title, access: 'public' });
  return async () => ({ ...project, deploymentId: null });
}

/** What the project is then is read once the link is used up: it may have been deleted by then. */
async function replace(deps: PublishByLinkDeps, { link, guest }: OpenLink, upload: AnyUpload) {
  const projectId = String(link.projectId);
  const { deploymentId, url } = await replaceFiles(deps, guest, { ...upload, projectId });
  return async () => {
    const { id, title, type, slug, expiresAt } = await ownedProject(
      deps.projects,
      guest,
      projectId,
    );
    return { projectId: id, url, title, type, slug, expiresAt, deploymentId };
  };
}

import type { ProjectId } from '../../../contract/fields.ts';
import type { AccountCaller } from '../../caller.ts';
import { CodedError } from '../../errors.ts';
import { instant, plusSeconds } from '../../instants.ts';
import type { ProjectStore } from '../../ports.ts';
import type { Addresses } from '../addresses/addresses.ts';
import { previewHost } from '../addresses/preview-host.ts';
import { changeProject, type ChangeProjectDeps } from '../change/change-project.ts';
import { buildChange } from '../change/project-change.ts';
import { type OwnedProjectStore, requireOwnedProject } from '../owned-projects.ts';
import type { Project } from '../project.ts';
import { unlimited } from '../quota.ts';
import { isPushWaiting, withoutPushesOf } from '../versions/waiting-pushes.ts';
import { type NamedPreview, runningPreviews } from './named-preview.ts';

/** Files of a preview stay this long for downloads that have begun. */
const droppedSeconds = 2 * 3600;

/** A preview as its owner sees it; `url` is null where a longer slug leaves no room for its name. Pure. */
export function describePreview(
  { addresses }: { addresses: Pick<Addresses, 'siteUrl'> },
  { host }: Pick<Project, 'host'>,
  { name, access, bytes, fileCount, createdAt, updatedAt, expiresAt }: NamedPreview,
) {
  const own = previewHost({ host, shows: name });
  const url = own === undefined ? null : addresses.siteUrl(own);
  const times = { createdAt, updatedAt, expiresAt };
  return { name, url, access, sizeBytes: bytes, fileCount, ...times };
}

/** The previews of the caller's project, the last pushed first. @throws CodedError NOT_FOUND */
export async function listPreviews(
  deps: {
    projects: Pick<ProjectStore, 'get'>;
    addresses: Pick<Addresses, 'siteUrl'>;
    now(): Date;
  },
  caller: AccountCaller,
  input: { projectId: string },
) {
  const project = await requireOwnedProject(deps.projects, caller, input.projectId);
  const previews = runningPreviews(project, deps.now())
    .toSorted((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1))
    .map((preview) => describePreview(deps, project, preview));
  return { previews };
}

/**
 * Ends a preview; its files go some hours later. A push of it that waits for a worker is given up, also the first.
 * @throws CodedError NOT_FOUND
 */
export async function deletePreview(
  deps: ChangeProjectDeps & { projects: Pick<ProjectStore, 'postponeDrop'> },
  caller: AccountCaller,
  { projectId, name }: { projectId: string; name: string },
) {
  let ended: NamedPreview | undefined;
  const project = await changeProject(
    deps,
    caller,
    projectId,
    ({ project: current, live, now }) => {
      const running = runningPreviews(current, now);
      ended = running.find((one) => one.name === name);
      if (ended === undefined && !isPushWaiting(current, name, now)) {
        throw previewNotFound();
      }
      const previews = running.filter((one) => one !== ended);
      return { fields: { previews, waitingPushes: withoutPushesOf(current, name) }, live };
    },
  );
  if (ended !== undefined) await endFiles(deps, project.id, ended);
  return { deleted: true };
}

/** The error for a preview that never existed or has ended. */
export function previewNotFound(): CodedError {
  return new CodedError('NOT_FOUND', {
    error: 'This project has no preview of this name.',
    nextStep: 'GET /v1/projects/{projectId}/previews lists the previews.',
  });
}

/** Lets maintenance remove the files of a preview. After a failure they go when the preview would have ended. */
export async function endFiles(
  deps: Pick<ChangeProjectDeps, 'onFailure' | 'now'> & {
    projects: Pick<ProjectStore, 'postponeDrop'>;
  },
  projectId: ProjectId,
  { version }: NamedPreview,
): Promise<void> {
  try {
    const dropAt = instant(plusSeconds(deps.now(), droppedSeconds));
    await deps.projects.postponeDrop(projectId, version, dropAt);
  } catch (error) {
    deps.onFailure({ kind: 'preview', projectId, version }, error);
  }
}

/** Takes ended previews from a project, whose bytes then count no longer. After a lost race, and while it is deleted, its next change does. */
export async function forgetEndedPreviews(
  deps: {
    projects: Pick<ProjectStore, 'get' | 'getVersion'>;
    owned: Pick<OwnedProjectStore, 'change'>;
  },
  projectId: ProjectId,
  now: Date,
): Promise<void> {
  const project = await deps.projects.get(projectId);
  if (project === undefined || project.removingAt !== null) return;
  if (runningPreviews(project, now).length === (project.previews ?? []).length) return;
  const live = await deps.projects.getVersion(projectId, project.version);
  const state = { fields: {}, live, limits: unlimited, expects: 'any' } as const;
  const change = buildChange(project, state, now);
  // The owner did not make this change.
  await deps.owned.change({ ...change, after: { ...change.after, updatedAt: project.updatedAt } });
}

import type { PublishingCaller } from '../../caller.ts';
import type { StoreId, StoreKey } from '../../content/content-keys.ts';
import type { PreparedUpload } from '../../content/prepare-upload.ts';
import { CodedError } from '../../errors.ts';
import { instant, plusSeconds } from '../../instants.ts';
import { writtenBytes } from '../../limits/written-bytes.ts';
import { previewHost } from '../addresses/preview-host.ts';
import { changeProject, type ProjectSnapshot } from '../change/change-project.ts';
import { type Project, warningsOf } from '../project.ts';
import {
  beginStoring,
  storeVersion,
  type UnpublishedVersion,
  withoutFiles,
} from '../publishing/store-version.ts';
import { discardUpload } from '../removal/abandoned-upload.ts';
import { isSameContent } from '../versions/kept-versions.ts';
import type { PushDeps } from '../versions/push-version.ts';
import { requireWaiting, type WaitingPush, withoutPushesOf } from '../versions/waiting-pushes.ts';
import { readManifest } from '../versions/kept-versions.ts';
import { endFiles } from './manage-previews.ts';
import { type PreviewMerge, requireShown, storePreviewMerge } from './merge-preview.ts';
import { type NamedPreview, type PreviewChoices, runningPreviews } from './named-preview.ts';
import { effectiveLimits } from '../quota.ts';

/** The most previews of one project: open pull requests, and no more than a listing shows. */
const maxPreviews = 20;

/** Files that passed their checks, for a preview; `queued` by a worker: the store of its intent. */
export type PreviewWork = { project: Project; choices: PreviewChoices } & (
  | {
      upload: PreparedUpload;
      queued?: { store: StoreId; number: number };
      onStored?: ((file: { size: number }) => void) | undefined;
      merge?: undefined;
    }
  | (PreviewMerge & { queued?: undefined })
);

export interface StoredPreview {
  preview: NamedPreview;
  isUnchanged: boolean;
  warnings?: ReturnType<typeof warningsOf>['warnings'];
}

/** Stores files, and makes the preview show them. @throws CodedError */
export async function storePreview(
  deps: PushDeps,
  caller: PublishingCaller,
  work: PreviewWork,
): Promise<StoredPreview> {
  const { project, choices, queued } = work;
  const { id } = project;
  const store = queued?.store ?? (await beginStoring(deps, id, deps.now()));
  const target = { projectId: id, store };
  const number = queued?.number;
  try {
    const stored = await storeFiles(deps, caller, target, work);
    let next: PreviewState | undefined;
    await changeProject(deps, caller, id, async (snapshot) => {
      if (work.merge !== undefined) requireShown(snapshot.project, work, snapshot.now);
      next = await nextState(deps, snapshot, { choices, stored, number });
      const { preview, former, isUnchanged, lastVersion, waitingPushes } = next;
      const others = runningPreviews(snapshot.project, snapshot.now).filter(
        (one) => one !== former,
      );
      const previews = [...others, preview];
      if (isUnchanged) {
        // First, so that an interrupted push leaves no preview whose files are gone.
        if (former !== undefined && former.expiresAt < preview.expiresAt)
          await deps.projects.postponeDrop(id, preview.version, preview.expiresAt);
        return { fields: { previews, waitingPushes }, live: snapshot.live };
      }
      const { publishedBy } = caller;
      const { version: own, updatedAt: createdAt, expiresAt: until } = preview;
      const version = { ...withoutFiles(stored), version: own, createdAt, publishedBy };
      const fields = { lastVersion, previews, waitingPushes };
      return { fields, live: snapshot.live, aside: { version, until } };
    });
    if (next === undefined) throw new Error('no preview was written');
    await settleFiles(deps, target, next);
    const { preview, isUnchanged } = next;
    return { preview, isUnchanged, ...warningsOf(stored) };
  } catch (error) {
    if (error instanceof CodedError) await discardUpload(deps, target);
    throw error;
  }
}

async function storeFiles(
  deps: PushDeps,
  caller: PublishingCaller,
  target: StoreKey,
  work: PreviewWork,
): Promise<UnpublishedVersion> {
  const written = writtenBytes(deps, caller, 'stored');
  if (work.merge !== undefined) {
    const limits = effectiveLimits(deps.plans, caller.account, deps.now());
    return storePreviewMerge(deps, target, work, { limits, written });
  }
  const { project, upload, onStored } = work;
  return storeVersion(deps.content, target, upload, {
    spa: project.spa,
    written,
    ...(onStored !== undefined && { onStored }),
  });
}

interface PreviewState {
  preview: NamedPreview;
  /** The preview of this name until now. */
  former: NamedPreview | undefined;
  isUnchanged: boolean;
  lastVersion: number;
  waitingPushes: WaitingPush[];
}

/** What a preview shows next. @throws CodedError INVALID_REQUEST; those of requireWaiting */
async function nextState(
  { projects, content }: Pick<PushDeps, 'projects' | 'content'>,
  { project, now }: ProjectSnapshot,
  {
    choices,
    stored,
    number: queued,
  }: { choices: PreviewChoices; stored: UnpublishedVersion; number?: number | undefined },
): Promise<PreviewState> {
  if (queued !== undefined) requireWaiting(project, queued, choices.name);
  const number = queued ?? project.lastVersion + 1;
  requireAddress(project, choices.name);
  requirePlace(project, choices.name, now);
  const former = runningPreviews(project, now).find(({ name }) => name === choices.name);
  const shown = former && (await projects.getDroppedVersion(project.id, former.version));
  const files = shown && (await readManifest(content, project.id, shown));
  const isUnchanged =
    shown !== undefined && files !== undefined && isSameContent({ ...shown, files }, stored);
  const version = isUnchanged ? shown.version : number;
  const preview = nextPreview(choices, { former, now, stored, number: version });
  const lastVersion = Math.max(project.lastVersion, number);
  // If it is interrupted before its intent ends, a push without a new version is repeated.
  const before = isUnchanged ? number : number + 1;
  const waitingPushes = withoutPushesOf(project, choices.name, before);
  return { preview, former, isUnchanged, lastVersion, waitingPushes };
}

/** Moves the end of the files that stay, and lets maintenance remove those that nobody is shown any more. */
async function settleFiles(
  deps: PushDeps,
  target: StoreKey,
  { preview, former, isUnchanged }: PreviewState,
): Promise<void> {
  const { projectId } = target;
  if (isUnchanged) {
    await discardUpload(deps, target);
    await deps.projects.postponeDrop(projectId, preview.version, preview.expiresAt);
  } else if (former !== undefined) await endFiles(deps, projectId, former);
}

function nextPreview(
  { name, access, lifeSeconds }: PreviewChoices,
  {
    former,
    now,
    stored,
    number,
  }: {
    former: NamedPreview | undefined;
    now: Date;
    stored: { bytes: number; fileCount: number };
    number: number;
  },
): NamedPreview {
  const { bytes, fileCount } = stored;
  const updatedAt = instant(now);
  const createdAt = former?.createdAt ?? updatedAt;
  const expiresAt = instant(plusSeconds(now, lifeSeconds));
  return { name, access, version: number, bytes, fileCount, createdAt, updatedAt, expiresAt };
}

/** @throws CodedError INVALID_REQUEST */
export function requireAddress({ host }: Project, name: string): void {
  if (previewHost({ host, shows: name }) !== undefined) return;
  throw refusedName('does not fit beside the name in the address of the project');
}

/** @throws CodedError INVALID_REQUEST */
export function requirePlace(project: Project, name: string, now: Date): void {
  if (project.archivedAt !== null) {
    const message = 'is an archived project, which shows no previews';
    throw new CodedError('INVALID_REQUEST', {
      error: `\`projectId\` ${message}.`,
      details: [{ path: 'projectId', message }],
      nextStep:
        'Unarchive the project with POST /v1/projects/{projectId}/unarchive, then push again.',
    });
  }
  const others = runningPreviews(project, now).filter((one) => one.name !== name);
  if (others.length < maxPreviews) return;
  throw refusedName(`would be one too many: a project has at most ${maxPreviews} previews`);
}

function refusedName(message: string): CodedError {
  return new CodedError('INVALID_REQUEST', {
    error: `\`name\` ${message}.`,
    details: [{ path: 'name', message }],
    nextStep:
      'Take a shorter name, or delete previews: GET /v1/projects/{projectId}/previews lists them.',
  });
}

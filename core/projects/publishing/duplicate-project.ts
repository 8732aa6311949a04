import { createHash } from 'node:crypto';
import type { ProjectId, Slug } from '../../../contract/fields.ts';
import { settingsOf } from '../../../contract/project-settings.ts';
import type { AccountCaller, PublishingCaller } from '../../caller.ts';
import {
  contentKey,
  markupKey,
  packLength,
  packLocation,
  type StoreId,
  storePrefix,
  uploadLocation,
} from '../../content/content-keys.ts';
import { type AssignDomainDeps, requireAssignable } from '../../domains/assign-domain.ts';
import { CodedError } from '../../errors.ts';
import { hasExpired, instant } from '../../instants.ts';
import { countPublication } from '../../limits/count-publication.ts';
import type { Counters } from '../../limits/counters.ts';
import { writtenBytes } from '../../limits/written-bytes.ts';
import type { VisitorStore } from '../../people/visitor.ts';
import type { ContentStore } from '../../ports.ts';
import {
  allLocations,
  entryStoredAt,
  type FileEntry,
  fileLocation,
  type Manifest,
  readContent,
  type VersionContent,
} from '../../visit/manifest.ts';
import { limitCopiedObjects } from '../../uploads/storage-calls.ts';
import { cacheTag } from '../../visit/protocol/cache-policy.ts';
import { checkSlug } from '../addresses/check-slug.ts';
import { requireOwnedProject, unlessRemoved, uploadNotPublished } from '../owned-projects.ts';
import { type Project, type Version, warningsOf } from '../project.ts';
import { admitPeople, peopleOf } from '../settings/people.ts';
import { effectiveLimits } from '../quota.ts';
import { MissingManifest } from '../versions/kept-versions.ts';
import { type FirstVersion, newProjectId } from './first-version.ts';
import {
  describeNewProject,
  type NewProjectRequest,
  type PublishNewDeps,
  publishNewProject,
  requireRoom,
} from './publish-new-project.ts';
import { beginStoring, storeContent } from './store-version.ts';
import { workPool } from './work-pool.ts';

/** The dependencies for copying a project. */
export interface DuplicateProjectDeps extends PublishNewDeps, AssignDomainDeps {
  content: Pick<ContentStore, 'get' | 'put' | 'copy' | 'deletePrefix'>;
  counters: Pick<Counters, 'count'>;
  visitors: Pick<VisitorStore, 'listOf'>;
  now(): Date;
}

/** Which project is copied, and what of the copy is different. */
export interface ProjectCopy {
  projectId: string;
  title?: string | undefined;
  slug?: Slug | undefined;
  /** The custom domain of the copy's address; by default it gets an address of this service. */
  domainId?: string | undefined;
  /** An id that no project has, where a repeated call must find what it made; by default a new one. */
  copyId?: ProjectId | undefined;
}

/**
 * Publishes a copy of the caller's project at an address of its own: the live version, with all settings,
 * access, password and expiry. Storage copies the bytes. Earlier versions and statistics stay behind.
 *
 * The settings are those that the project has when its bytes are copied: a project that is made private
 * meanwhile has a private copy.
 * @throws CodedError NOT_FOUND, FORBIDDEN, UPLOAD_INCOMPLETE, PAYLOAD_TOO_LARGE, RATE_LIMITED, INVALID_REQUEST; those of requireAssignable, checkSlug and publishNewProject
 */
export async function duplicateProject(
  deps: DuplicateProjectDeps,
  caller: PublishingCaller,
  { slug, domainId, ...input }: ProjectCopy,
) {
  const source = await requireCopyable(deps, caller, input.projectId);
  const domain =
    domainId === undefined ? undefined : await requireAssignable(deps, caller, domainId);
  if (slug !== undefined) await checkSlug(deps, caller, slug, domain);
  const limits = effectiveLimits(deps.plans, caller.account, deps.now());
  const address = { slug, domain, limits, publishedBy: caller.publishedBy };
  const requestFor = (project: Project): NewProjectRequest => ({
    details: copiedDetails(project, caller, input.title),
    content: project,
    expiresAt: () => project.expiresAt,
    ...address,
  });
  requireRoom(caller, requestFor(source));
  await countPublication(deps, caller);
  const list = await peopleOf(deps, source);
  await admitPeople(deps, caller, { list, limits, code: 'INVALID_REQUEST' });
  const { first, current, packs } = await copyLiveVersion(deps, caller, source, input.copyId);
  const { details, ...others } = requestFor(current);
  const people = current.peopleStamp === list?.stamp ? list : await peopleOf(deps, current);
  const listed = { ...details, peopleStamp: people?.stamp };
  const request = { ...others, details: listed, people, content: first.upload };
  const project = await publishNewProject(deps, request, first);
  await eraseOtherFiles(deps, project, packs);
  return { ...(await describeNewProject(deps, caller, project)), ...warningsOf(first.stored) };
}

/**
 * The caller's project, if it may be copied.
 * @throws CodedError NOT_FOUND, FORBIDDEN, UPLOAD_INCOMPLETE
 */
async function requireCopyable(
  deps: Pick<DuplicateProjectDeps, 'projects' | 'now'>,
  caller: AccountCaller,
  id: string,
): Promise<Project> {
  const project = await requireOwnedProject(deps.projects, caller, id);
  if (project.takedown !== null) {
    throw new CodedError('FORBIDDEN', {
      error: 'This project was taken down, so it cannot be copied.',
      nextStep: 'Contact the operator of this service.',
    });
  }
  if (hasExpired(project, deps.now())) {
    throw new CodedError('NOT_FOUND', {
      error: 'This project has expired, so it cannot be copied.',
      nextStep: 'Set a new expiry of the project, then send the same request again.',
    });
  }
  if (project.version === 0) throw uploadNotPublished();
  return project;
}

function copiedDetails(
  project: Project,
  { account }: AccountCaller,
  title = copyTitle(project.title),
): NewProjectRequest['details'] {
  const { status, access, passwordHash, workspaceId, notify } = project;
  const kept = { status, access, passwordHash, workspaceId, notify };
  return { ...settingsOf(project), ...kept, title, ownerId: account.id };
}

const maxTitle = 255;

/** The title of a copy: `Fair (copy)`, and of its copy `Fair (copy 2)`. Pure. */
export function copyTitle(title: string): string {
  const [, base = title, number = '1'] = /^(.+) \(copy(?: (\d{1,6}))?\)$/su.exec(title) ?? [];
  const suffix = base === title ? ' (copy)' : ` (copy ${Number(number) + 1})`;
  const room = maxTitle - suffix.length;
  // Never half of a character that has two UTF-16 code units.
  return base.slice(0, room).replace(/[\uD800-\uDBFF]$/, '') + suffix;
}

interface CopyPlan {
  /** The location of each object to copy, with that of its copy and its size. */
  objects: ReadonlyMap<string, { to: string; bytes: number }>;
  files: Manifest;
  /** Copied packs with files that the version does not show. */
  packs: readonly string[];
}

/** Plans the copy of a version's files into one new store. Pure. */
export function planCopy(source: { store: StoreId; files: Manifest }, store: StoreId): CopyPlan {
  const objects = new Map<string, { to: string; bytes: number }>();
  const files = new Map<string, FileEntry>();
  const shown = new Map<string, Map<number, number>>();
  for (const [path, entry] of source.files) {
    const from = fileLocation(source.store, path, entry);
    const to = objects.get(from)?.to ?? copyLocation(store, path, from);
    const copied = entryIn(store, path, { entry, location: to });
    files.set(path, copied);
    const { size, brotliBytes = 0, offset } = entry;
    const sizes = [packLength(from) ?? size, brotliBytes];
    const targets = allLocations(store, path, copied);
    for (const [index, one] of allLocations(source.store, path, entry).entries()) {
      objects.set(one, { to: targets[index] ?? to, bytes: sizes[index] ?? 0 });
    }
    if (offset !== undefined) shown.set(to, (shown.get(to) ?? new Map()).set(offset, size));
  }
  const isPart = (pack: string, sizes: ReadonlyMap<number, number>) =>
    [...sizes.values()].reduce((sum, size) => sum + size, 0) < (packLength(pack) ?? 0);
  const packs = [...shown].filter(([pack, sizes]) => isPart(pack, sizes)).map(([pack]) => pack);
  return { objects, files, packs };
}

/** Two packs of different stores may have the same name, so the copy's has the hash of where it was. */
function copyLocation(store: StoreId, path: string, from: string): string {
  const bytes = packLength(from);
  if (bytes === undefined) return uploadLocation(store, path);
  return packLocation(store, createHash('sha256').update(from).digest('hex'), bytes);
}

/** The entry of a file whose object is copied to `location`; without `storedAt` where its path says it. */
function entryIn(
  store: StoreId,
  path: string,
  { entry, location }: { entry: FileEntry; location: string },
): FileEntry {
  const { storedAt, ...own } = entryStoredAt(location, path, entry);
  return storedAt === store ? own : { ...own, storedAt };
}

/** What storage reliably copies within the 29 s of a request (Amazon API Gateway quota). */
const requestCapacity = { objects: 500, bytes: 1024 ** 3 };

/** As many as storage answers at once; a client of the SDK has 50 sockets. */
const maxParallelCopies = { count: 32, bytes: Number.POSITIVE_INFINITY };

/** A copied live version, its project as it was after that, and the packs with other files. */
interface CopiedVersion {
  first: FirstVersion;
  current: Project;
  packs: readonly string[];
}

/** Copies a project's live version into a new store. Removes what was copied before it throws. */
async function copyLiveVersion(
  deps: DuplicateProjectDeps,
  caller: PublishingCaller,
  source: Project,
  projectId: ProjectId = newProjectId(),
): Promise<CopiedVersion> {
  const { live, content } = await readLiveVersion(deps, caller, source);
  const store = await beginStoring(deps, projectId, deps.now());
  const target = { projectId, store };
  const plan = planCopy({ store: live.store, files: content.files }, store);
  try {
    await requireCapacity(deps, caller, plan);
    const copyTo = objectCopier(deps, projectId);
    const pool = workPool(maxParallelCopies);
    for (const [from, { to }] of plan.objects) {
      const key = contentKey(source.id, from);
      await pool.add(0, () => copyTo(key, contentKey(projectId, to)));
    }
    await pool.settled();
    if (live.markupRevision !== undefined)
      await copyTo(markupKey(source.id, live.store), markupKey(projectId, store));
    const stored = await storeContent(deps.content, target, plan.files, content.rules);
    const current = await requireCopyable(deps, caller, source.id);
    const { type, home, bytes, fileCount, markupRevision } = live;
    const facts = { type, home, bytes, fileCount };
    const markup = markupRevision === undefined ? {} : { markupRevision };
    const copied = { store, ...facts, ...stored, ...markup, ...warningsOf(live) };
    return { first: { projectId, upload: facts, stored: copied }, current, packs: plan.packs };
  } catch (error) {
    await deps.content.deletePrefix(storePrefix(projectId, store));
    return await unlessRemoved(deps.projects, caller, source.id)(error);
  }
}

async function readLiveVersion(
  deps: DuplicateProjectDeps,
  caller: AccountCaller,
  { id, version }: Project,
): Promise<{ live: Version; content: VersionContent }> {
  const live = await deps.projects.getVersion(id, version);
  const content = live && (await readContent(deps.content, { ...live, projectId: id }));
  if (live !== undefined && content !== undefined) return { live, content };
  return unlessRemoved(deps.projects, caller, id)(new MissingManifest({ version }));
}

/** @throws CodedError PAYLOAD_TOO_LARGE; RATE_LIMITED where the account has copied its objects of the hour, or written its bytes of the day */
async function requireCapacity(
  deps: DuplicateProjectDeps,
  caller: PublishingCaller,
  { objects }: CopyPlan,
): Promise<void> {
  const bytes = [...objects.values()].reduce((sum, one) => sum + one.bytes, 0);
  if (objects.size > requestCapacity.objects || bytes > requestCapacity.bytes) {
    throw new CodedError('PAYLOAD_TOO_LARGE', {
      error: `This project is too large to copy: a copy takes at most ${requestCapacity.bytes} bytes in ${requestCapacity.objects} objects.`,
      nextStep: 'Publish its files once more as a new project, for example by POST /v1/uploads.',
    });
  }
  await limitCopiedObjects(deps, caller, objects.size, deps.now());
  await writtenBytes(deps, caller, 'stored').count(bytes);
}

function objectCopier({ content }: Pick<DuplicateProjectDeps, 'content'>, projectId: ProjectId) {
  const tag = cacheTag(projectId);
  return async (from: string, to: string) => {
    if (await content.copy(from, { key: to, cacheTag: tag })) return;
    throw new Error(`${from} is not in storage`);
  };
}

/** A pack is copied as a whole, so its other files are erased from the copy, as after a push. */
async function eraseOtherFiles(
  deps: DuplicateProjectDeps,
  { id: projectId }: Project,
  packs: readonly string[],
): Promise<void> {
  if (packs.length === 0) return;
  await deps.projects
    .scheduleErasure(projectId, packs, instant(deps.now()))
    .catch((error: unknown) => deps.onFailure({ kind: 'erasure', projectId }, error));
}

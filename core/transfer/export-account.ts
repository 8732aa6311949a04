import type { ExportPage, PagedProject, PagedVersion } from '../../contract/account-export.ts';
import type { AccountId, ProjectId } from '../../contract/fields.ts';
import type { AccountCaller } from '../caller.ts';
import { contentKey } from '../content/content-keys.ts';
import { instant } from '../instants.ts';
import type { ContentStore, ProjectStore } from '../ports.ts';
import { manifestOf } from '../projects/versions/kept-versions.ts';
import type { Project, Version } from '../projects/project.ts';
import { placeIn } from '../visit/manifest.ts';
import type { WorkspaceStore } from '../workspaces/ports.ts';
import { type Place, readCursor, writeCursor } from './export-cursor.ts';
import { exportedFiles, exportedWorkspaces, projectFacts, versionFacts } from './export-facts.ts';
import type { ContentLinks, OwnedListing } from './export-ports.ts';
import { type PageRoom, pageRoom } from './page-room.ts';

/** What exporting an account needs. */
export interface ExportAccountDeps {
  listing: OwnedListing;
  workspaces: Pick<WorkspaceStore, 'list'>;
  projects: Pick<ProjectStore, 'get' | 'versions'>;
  content: Pick<ContentStore, 'get'>;
  links: ContentLinks;
  now(): Date;
}

/** A link dies earlier where the function's own credentials do. */
const linkSeconds = 3600;
/** Each is read on its own, and a page has to be done within the API's 29 seconds. */
const maxProjects = 100;

/**
 * One page of all that the caller's account has, the oldest project first. Uploads that are not
 * published yet and deleted projects are no part of it.
 *
 * Projects may change between two pages: a reader knows a version to be whole by its `filesHash`.
 * @throws CodedError INVALID_REQUEST where the cursor is none of ours
 */
export async function exportAccount(
  deps: ExportAccountDeps,
  { account }: AccountCaller,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<ExportPage> {
  const from = cursor === undefined ? undefined : readCursor(account.id, cursor);
  const { email, tier, trialEndsAt, createdAt, projectCount, storageBytes } = account;
  const { projects, next } = await pageOf(deps, account.id, { from, room: pageRoom(limit) });
  return {
    formatVersion: 1,
    exportedAt: instant(deps.now()),
    account: { email, tier, trialEndsAt, createdAt, projectCount, storageBytes },
    workspaces: exportedWorkspaces(await deps.workspaces.list(account.id)),
    projects,
    next: next === undefined ? null : writeCursor(account.id, next),
  };
}

async function pageOf(
  deps: ExportAccountDeps,
  accountId: AccountId,
  { from, room }: { from: Place | undefined; room: PageRoom },
): Promise<{ projects: PagedProject[]; next?: Place }> {
  const projects: PagedProject[] = [];
  for await (const { projectId, listedAt } of deps.listing.oldestFirst(accountId, from?.listedAt)) {
    const place = from?.listedAt === listedAt ? from : { listedAt, version: 1, filesFrom: 0 };
    if (projects.length === maxProjects || room.isFull()) return { projects, next: place };
    const found = await readWhole(deps, accountId, projectId);
    if (found === undefined) continue;
    const { project, next } = await partOf(deps, found, { place, room });
    if (project.versions.length > 0) projects.push(project);
    if (next !== undefined) return { projects, next };
  }
  return { projects };
}

interface Whole {
  project: Project;
  /** Every kept version, the oldest first. */
  versions: Version[];
}

/** A push may prune between two reads, so that they are made again until they agree. */
const tries = 5;

async function readWhole(
  { projects }: Pick<ExportAccountDeps, 'projects'>,
  accountId: AccountId,
  projectId: ProjectId,
): Promise<Whole | undefined> {
  for (let count = 1; count <= tries; count += 1) {
    const project = await projects.get(projectId);
    if (project === undefined || !isPublished(project) || project.ownerId !== accountId) {
      return undefined;
    }
    const versions = (await projects.versions(projectId)).toSorted((a, b) => a.version - b.version);
    if (versions.some(({ version }) => version === project.version)) return { project, versions };
  }
  throw new Error(`project ${projectId} changed ${tries} times while it was read`);
}

function isPublished({ version, removingAt, failure }: Project): boolean {
  return version > 0 && removingAt === null && failure === null;
}

/** What the page takes of a project, and where the next page goes on with it. */
async function partOf(
  deps: ExportAccountDeps,
  { project, versions }: Whole,
  { place, room }: { place: Place; room: PageRoom },
): Promise<{ project: PagedProject; next?: Place }> {
  const paged: PagedProject = { ...projectFacts(project), versions: [] };
  let { filesFrom } = place;
  room.take(paged);
  for (const version of versions.filter((one) => one.version >= place.version)) {
    // The version that the page before began may have left the history.
    if (version.version !== place.version) filesFrom = 0;
    const next = { ...place, version: version.version };
    if (room.isFull()) return { project: paged, next: { ...next, filesFrom } };
    const { part, isCut } = await versionPart(deps, project.id, version, { filesFrom, room });
    if (part.files.length > 0) paged.versions.push(part);
    const end = filesFrom + part.files.length;
    if (isCut) return { project: paged, next: { ...next, filesFrom: end } };
  }
  return { project: paged };
}

async function versionPart(
  { content, links }: ExportAccountDeps,
  projectId: ProjectId,
  version: Version,
  { filesFrom, room }: { filesFrom: number; room: PageRoom },
): Promise<{ part: PagedVersion; isCut: boolean }> {
  const manifest = await manifestOf(content, projectId, version);
  if (manifest === undefined) throw new Error(`version ${version.version} has no manifest`);
  const all = exportedFiles(manifest);
  const part: PagedVersion = { ...versionFacts(version, all), filesFrom, files: [] };
  room.take(part);
  for (const file of all.slice(filesFrom)) {
    const place = placeIn(version.store, file.path, manifest.get(file.path) ?? file);
    const url = await links.sign(contentKey(projectId, place), linkSeconds);
    if (!room.takeFile({ ...file, url })) return { part, isCut: true };
    part.files.push({ ...file, url });
  }
  return { part, isCut: false };
}

import { createHash } from 'node:crypto';
import type {
  ExportPage,
  ExportPageProject,
  ExportPageVersion,
} from '../../contract/account-export.ts';
import type { AccountId, ProjectId } from '../../contract/fields.ts';
import type { AccountCaller } from '../caller.ts';
import { instant, plusSeconds } from '../instants.ts';
import { countAttempt, type Counters } from '../limits/counters.ts';
import type { VisitorStore } from '../people/visitor.ts';
import type { ContentStore, ProjectStore } from '../ports.ts';
import { readManifest } from '../projects/versions/kept-versions.ts';
import { fileLinks, type SignFileLinkDeps } from '../projects/versions/create-file-link.ts';
import type { Project, Version } from '../projects/project.ts';
import { describePeople, peopleOf } from '../projects/settings/people.ts';
import type { WorkspaceStore } from '../workspaces/ports.ts';
import { exportedFiles, exportedWorkspaces, projectFacts, versionFacts } from './export-facts.ts';
import type { OwnedListing } from './ports.ts';
import { sentBytes } from '../uploads/begin-upload.ts';
import { CodedError } from '../errors.ts';

/** The dependencies for exporting an account. */
export interface ExportAccountDeps extends SignFileLinkDeps {
  counters: Pick<Counters, 'count'>;
  listing: OwnedListing;
  workspaces: Pick<WorkspaceStore, 'list'>;
  projects: Pick<ProjectStore, 'get' | 'listVersions'>;
  content: Pick<ContentStore, 'get'>;
  visitors: Pick<VisitorStore, 'listOf'>;
}

const linkSeconds = 3600;
type PageDeps = ExportAccountDeps & Pick<ReturnType<typeof fileLinks>, 'linkTo'>;

/** A page may read thousands of units of DynamoDB. The largest account has some hundred pages. */
const exportPages = {
  rule: { limit: 600, windowSeconds: 3600 },
  what: 'pages of the export of an account',
};

/** Each project needs its own reads, and the API must send a page within 29 seconds. */
const maxProjects = 100;
/** Manifests are read one after another; what is not read within this time goes to the next page. */
const pageSeconds = 15;

/**
 * One page of the export of the caller's account, the oldest project first. Excludes unpublished
 * uploads, deleted projects, and those that the operator has taken down.
 *
 * Projects may change between two pages. With `filesHash` a reader checks that a version is
 * complete.
 * @throws CodedError INVALID_REQUEST if the cursor is not valid for this account, RATE_LIMITED
 */
export async function exportAccount(
  deps: ExportAccountDeps,
  caller: AccountCaller,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<ExportPage> {
  const { account } = caller;
  const from = cursor === undefined ? undefined : readCursor(account.id, cursor);
  const { email, tier, trialEndsAt, createdAt, projectCount, storageBytes } = account;
  const counted = { key: `export-pages#${account.id}`, ...exportPages };
  await countAttempt(deps.counters, caller, counted, deps.now());
  const end = plusSeconds(deps.now(), pageSeconds);
  const isLate = () => deps.now() > end;
  const room = pageBudget(limit, { isLate });
  const { linkTo } = fileLinks(deps, caller, linkSeconds);
  const on = { ...deps, linkTo };
  const { projects, next } = await collectProjects(on, account.id, { from, room });
  return {
    formatVersion: 1,
    exportedAt: instant(deps.now()),
    account: { email, tier, trialEndsAt, createdAt, projectCount, storageBytes },
    workspaces: exportedWorkspaces(await deps.workspaces.list(account.id)),
    projects,
    next: next === undefined ? null : writeCursor(account.id, next),
  };
}

async function collectProjects(
  deps: PageDeps,
  accountId: AccountId,
  { from, room }: { from: ExportPosition | undefined; room: PageBudget },
): Promise<{ projects: ExportPageProject[]; next?: ExportPosition }> {
  const projects: ExportPageProject[] = [];
  for await (const { projectId, listedAt } of deps.listing.oldestFirst(accountId, from?.listedAt)) {
    const position = from?.listedAt === listedAt ? from : { listedAt, version: 1, filesFrom: 0 };
    if (projects.length === maxProjects || room.isFull()) return { projects, next: position };
    const found = await readConsistently(deps, accountId, projectId);
    if (found === undefined) continue;
    const { project, next } = await exportProject(deps, found, { position, room });
    if (project.versions.length > 0) projects.push(project);
    if (next !== undefined) return { projects, next };
  }
  return { projects };
}

interface ProjectWithVersions {
  project: Project;
  /** Every kept version, the oldest first. */
  versions: Version[];
}

/** A push may remove old versions between two reads, so the reads are repeated until they agree. */
const tries = 5;

async function readConsistently(
  { projects }: Pick<ExportAccountDeps, 'projects'>,
  accountId: AccountId,
  projectId: ProjectId,
): Promise<ProjectWithVersions | undefined> {
  for (let count = 1; count <= tries; count += 1) {
    const project = await projects.get(projectId);
    if (project === undefined || !isExported(project) || project.ownerId !== accountId) {
      return undefined;
    }
    const versions = (await projects.listVersions(projectId)).toSorted(
      (a, b) => a.version - b.version,
    );
    if (versions.some(({ version }) => version === project.version)) return { project, versions };
  }
  throw new Error(`project ${projectId} changed ${tries} times while it was read`);
}

function isExported({ version, removingAt, failure, takedown }: Project): boolean {
  return version > 0 && removingAt === null && failure === null && takedown === null;
}

/** The part of a project that fits on the page, and the position where the next page continues. */
async function exportProject(
  deps: PageDeps,
  { project, versions }: ProjectWithVersions,
  { position, room }: { position: ExportPosition; room: PageBudget },
): Promise<{ project: ExportPageProject; next?: ExportPosition }> {
  const listed = describePeople(await peopleOf(deps, project));
  const paged: ExportPageProject = { ...projectFacts(project), ...listed, versions: [] };
  let { filesFrom } = position;
  room.add(paged);
  for (const version of versions.filter((one) => one.version >= position.version)) {
    // The version that the previous page started may have been pruned.
    if (version.version !== position.version) filesFrom = 0;
    const next = { ...position, version: version.version };
    if (room.isFull()) return { project: paged, next: { ...next, filesFrom } };
    const { part, isCut } = await exportVersion(deps, project, version, { filesFrom, room });
    if (part.files.length > 0) paged.versions.push(part);
    const end = filesFrom + part.files.length;
    if (isCut) return { project: paged, next: { ...next, filesFrom: end } };
  }
  return { project: paged };
}

async function exportVersion(
  deps: PageDeps,
  project: Project,
  version: Version,
  { filesFrom, room }: { filesFrom: number; room: PageBudget },
): Promise<{ part: ExportPageVersion; isCut: boolean }> {
  const manifest = await readManifest(deps.content, project.id, version);
  if (manifest === undefined) throw new Error(`version ${version.version} has no manifest`);
  const all = exportedFiles(manifest);
  const part: ExportPageVersion = { ...versionFacts(version, all), filesFrom, files: [] };
  room.add(part);
  for (const file of all.slice(filesFrom)) {
    const { path, size } = file;
    const url = size > 0 && deps.linkTo({ project, version }, path, manifest.get(path) ?? file);
    const linked = url === false ? file : { ...file, url };
    if (!room.addFile(linked)) return { part, isCut: true };
    part.files.push(linked);
  }
  return { part, isCut: false };
}

/**
 * A function's response is limited to 6 MB (AWS Lambda quotas). The difference is for the fields
 * around the projects.
 */
const maxPageBytes = 5.5 * 1024 * 1024;

interface PageBudget {
  isFull(): boolean;
  /** Adds a part to the page; false if it does not fit. */
  add(part: object): boolean;
  /** Adds a file, which counts towards `maxFiles`. */
  addFile(file: object): boolean;
}

/**
 * Space for `maxFiles` files and for the bytes of one response, until `isLate`. The first file always
 * fits.
 */
export function pageBudget(
  maxFiles: number,
  {
    maxBytes = maxPageBytes,
    isLate = () => false,
  }: { maxBytes?: number; isLate?: () => boolean } = {},
): PageBudget {
  let files = 0;
  let bytes = 0;
  const add = (part: object) => {
    const size = sentBytes(part);
    if (files > 0 && bytes + size > maxBytes) return false;
    bytes += size;
    return true;
  };
  return {
    isFull: () => files >= maxFiles || (files > 0 && (bytes >= maxBytes || isLate())),
    add,
    addFile(file) {
      if (files >= maxFiles || !add(file)) return false;
      files += 1;
      return true;
    },
  };
}

/** The first file of a page: its project, version and index. */
interface ExportPosition {
  /** The project's sort key among the projects of its account: `<createdAt>#<projectId>`. */
  listedAt: string;
  version: number;
  filesFrom: number;
}

const sumLength = 16;
const written = /^(?<listedAt>\S+#\S+) (?<version>\d{1,9}) (?<filesFrom>\d{1,9})$/;

/**
 * A position as text for callers. It is not secret: a cursor only ever leads to the caller's own
 * projects. The checksum detects a cursor that was changed or belongs to another account.
 */
export function writeCursor(
  accountId: AccountId,
  { listedAt, version, filesFrom }: ExportPosition,
): string {
  const text = `${listedAt} ${version} ${filesFrom}`;
  return Buffer.from(checksum(accountId, text) + text).toString('base64url');
}

/**
 * Parses the text that {@link writeCursor} returns.
 * @throws CodedError INVALID_REQUEST
 */
export function readCursor(accountId: AccountId, cursor: string): ExportPosition {
  const text = Buffer.from(cursor, 'base64url').toString().slice(sumLength);
  const { listedAt = '', version, filesFrom } = written.exec(text)?.groups ?? {};
  const position = { listedAt, version: Number(version), filesFrom: Number(filesFrom) };
  // Decoding ignores characters outside base64url, so the cursor is compared with its only valid
  // form.
  if (listedAt === '' || writeCursor(accountId, position) !== cursor) throw unknownCursor();
  return position;
}

function checksum(accountId: AccountId, text: string): string {
  return createHash('sha256').update(`${accountId} ${text}`).digest('hex').slice(0, sumLength);
}

function unknownCursor(): CodedError {
  const message = 'is not a cursor of this account';
  return new CodedError('INVALID_REQUEST', {
    error: `cursor: ${message}`,
    nextStep:
      'Send the `next` of the previous page unchanged, or omit `cursor` for the first page.',
    details: [{ path: 'cursor', message }],
  });
}

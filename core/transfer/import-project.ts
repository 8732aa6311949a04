import { daySeconds } from '../../contract/limits.ts';
import { createHash } from 'node:crypto';
import type { ProjectExport, VersionExport } from '../../contract/account-export.ts';
import type { AccountId } from '../../contract/fields.ts';
import { projectPrefix, StoreId, storePrefix } from '../content/content-keys.ts';
import type { StoredDomain } from '../domains/domain.ts';
import { instant, plusSeconds } from '../instants.ts';
import type { ContentStore, ProjectStore } from '../ports.ts';
import { loadAllVersionFiles } from '../projects/versions/kept-versions.ts';
import { knownFiles } from '../projects/publishing/known-files.ts';
import type { Project, Version } from '../projects/project.ts';
import { isReserved } from '../projects/addresses/check-slug.ts';
import { calculateCharge, unlimited } from '../projects/quota.ts';
import { buildServingRecord } from '../projects/build-serving-record.ts';
import { storeVersion, withoutFiles } from '../projects/publishing/store-version.ts';
import type { Manifest } from '../visit/manifest.ts';
import { findArchiveFault } from './archive-faults.ts';
import { exportedFiles } from './export-facts.ts';
import { filesHash, objectName } from './exported-files.ts';
import type { ArchivedObjects, ExistingProject, ImportPublication, ImportStore } from './ports.ts';
import {
  archivedPeople,
  matchesArchive,
  restoredProject,
  versionsMatchArchive,
} from './restored-project.ts';

/** The dependencies for restoring a project. */
export interface ImportProjectDeps {
  imports: ImportStore;
  projects: Pick<ProjectStore, 'listVersions' | 'checkAvailability' | 'removeRows'>;
  content: ContentStore;
  objects: ArchivedObjects;
  addresses: { hostOf(slug: Project['slug'], customDomain?: string): string };
  now(): Date;
}

/**
 * The account to restore into, and the custom domain beneath which the project is served; without
 * one, the sites domain.
 */
export interface ImportTarget {
  ownerId: AccountId;
  domain: Pick<StoredDomain, 'id' | 'name'> | undefined;
}

/** The result for one project; `same` if an identical project exists already. */
export type ImportOutcome = 'restored' | 'same' | { refused: string };

/** The sweep removes an import that is not published within a week. */
const unfinishedSeconds = 7 * daySeconds;

/**
 * Restores one project with its id, address, settings and versions, without plan limits. The
 * project becomes visible only when it is complete. A repeated call continues an interrupted one.
 */
export async function importProject(
  deps: ImportProjectDeps,
  { ownerId, domain }: ImportTarget,
  archived: ProjectExport,
): Promise<ImportOutcome> {
  const refused = findRefusal(archived, domain);
  if (refused !== undefined) return { refused };
  const host = deps.addresses.hostOf(archived.slug, domain?.name);
  const project = restoredProject(archived, { ownerId, host, domainId: domain?.id ?? null });
  const found = await deps.imports.find(project.id);
  if (found !== undefined && !found.isUnfinishedImport)
    return compareWithExisting(deps, found, ownerId, archived);
  const now = deps.now();
  const { id: projectId, slug, domainId } = project;
  const requester = { projectId, slug, accountId: ownerId, domainId, isImport: true };
  const availability = await deps.projects.checkAvailability(host, requester, now);
  if (availability !== 'available') return addressInUse(project);
  const missing = await missingObject(deps.objects, archived);
  if (missing !== undefined) return { refused: `objects/${missing} is missing or damaged` };
  const kept = found === undefined ? [] : await versionsStoredBefore(deps, archived);
  const dueAt = instant(plusSeconds(now, unfinishedSeconds));
  if (!(await deps.imports.begin({ project, at: instant(now), dueAt }))) return busy;
  const versions = await storeVersions(deps, archived, kept);
  return publish(deps, { project, people: archivedPeople(archived) }, versions);
}

/** Why an archive is never restored there, whatever exists already. */
function findRefusal(archived: ProjectExport, domain: ImportTarget['domain']): string | undefined {
  const fault = findArchiveFault(archived);
  if (fault !== undefined) return `${fault} in the export`;
  // The import knows no brand but the product's: an installation's own is a setting of its functions.
  const brand = domain === undefined ? '' : undefined;
  if (!isReserved(archived.slug, brand)) return undefined;
  return `its address ${archived.slug} is reserved; rename it where it was exported`;
}

const busy = { refused: 'it is being imported or removed right now; try again in a few minutes' };

function addressInUse({ host }: Project): ImportOutcome {
  return { refused: `its address ${host} is taken` };
}

async function missingObject(
  objects: ArchivedObjects,
  { versions }: ProjectExport,
): Promise<string | undefined> {
  const files = versions.flatMap((version) => version.files);
  const distinct = new Map(files.map((file) => [objectName(file), file]));
  for (const [name, file] of distinct) if (!(await objects.holds(file))) return name;
  return undefined;
}

async function compareWithExisting(
  deps: ImportProjectDeps,
  { project }: ExistingProject,
  ownerId: AccountId,
  archived: ProjectExport,
): Promise<ImportOutcome> {
  if (project.ownerId !== ownerId) return { refused: 'its id belongs to another account' };
  if (project.removingAt !== null) return { refused: 'it was deleted here and is not gone yet' };
  const versions = await deps.projects.listVersions(project.id);
  const kept = await loadAllVersionFiles(deps.content, project.id, versions);
  return matchesArchive(project, kept, archived)
    ? 'same'
    : { refused: 'it is there already and is another; it stays as it is' };
}

type KeptVersion = Version & { files: Manifest };

/**
 * The versions that an earlier call stored. If they are from another export, removes them and
 * returns none.
 */
async function versionsStoredBefore(
  { projects, content }: ImportProjectDeps,
  archived: ProjectExport,
): Promise<KeptVersion[]> {
  const { id } = archived;
  const kept = await loadAllVersionFiles(content, id, await projects.listVersions(id));
  if (versionsMatchArchive(kept, archived)) return kept;
  await content.deletePrefix(projectPrefix(id));
  await projects.removeRows(id, undefined);
  return [];
}

async function storeVersions(
  deps: ImportProjectDeps,
  archived: ProjectExport,
  kept: readonly KeptVersion[],
): Promise<KeptVersion[]> {
  const all = [...kept];
  for (const version of archived.versions) {
    if (all.some((one) => one.version === version.version)) continue;
    all.push(await storeArchivedVersion(deps, archived.id, { version, kept: all }));
  }
  return all;
}

async function storeArchivedVersion(
  { content, objects, imports }: ImportProjectDeps,
  projectId: Project['id'],
  { version, kept }: { version: VersionExport; kept: readonly KeptVersion[] },
): Promise<KeptVersion> {
  const { type, home, bytes, fileCount, createdAt } = version;
  const upload = {
    type,
    home,
    bytes,
    fileCount,
    title: '',
    // Its owner decided when it was published.
    allowSecrets: true,
    async *files() {
      for (const { path, size, hash } of version.files) {
        yield { path, size, content: objects.read({ size, hash }) };
      }
    },
  };
  const target = { projectId, store: storeIdFor(projectId, version) };
  // An interrupted import may have left packs with other names in this store, which no kept version
  // uses.
  await content.deletePrefix(storePrefix(projectId, target.store));
  const newestFirst = kept.toSorted((a, b) => b.version - a.version);
  const stored = await storeVersion(content, target, upload, { known: knownFiles(newestFirst) });
  if (filesHash(exportedFiles(stored.files)) !== version.filesHash) {
    throw new Error(`contents of version ${version.version} of project ${projectId} are damaged`);
  }
  const row: Version = {
    ...withoutFiles(stored),
    version: version.version,
    createdAt,
    publishedBy: version.publishedBy,
    note: version.note,
    // An export does not tell which version was live once: a feed shows the notes of none but the live one.
    draft: true,
  };
  await imports.addVersion(projectId, row);
  return { ...row, files: stored.files };
}

/**
 * Derived from the version, so that a repeated import overwrites an incomplete store instead of
 * adding another.
 */
function storeIdFor(projectId: Project['id'], { version, filesHash }: VersionExport): StoreId {
  const digest = createHash('sha256').update(`${projectId} ${version} ${filesHash}`).digest('hex');
  return StoreId.parse(digest.slice(0, 16));
}

async function publish(
  deps: ImportProjectDeps,
  { project, people }: Pick<ImportPublication, 'project' | 'people'>,
  versions: readonly Version[],
): Promise<ImportOutcome> {
  const live = versions.find(({ version }) => version === project.version);
  if (live === undefined) throw new Error('the live version was not stored');
  const site = buildServingRecord(project, live);
  const charge = calculateCharge(undefined, project, unlimited);
  const at = instant(deps.now());
  const outcome = await deps.imports.publish({ project, site, people, charge, at });
  if (outcome === 'slug-taken') return addressInUse(project);
  if (outcome === 'domain-not-ready') return { refused: 'its domain takes no projects now' };
  if (outcome === 'account-suspended') return { refused: 'its account is suspended here' };
  if (outcome === 'workspace-gone') return { refused: 'its workspace is being deleted here' };
  return outcome === 'published' ? 'restored' : busy;
}

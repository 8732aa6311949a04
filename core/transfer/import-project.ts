import { createHash } from 'node:crypto';
import type { ArchivedProject, ArchivedVersion } from '../../contract/account-export.ts';
import type { AccountId } from '../../contract/fields.ts';
import { projectPrefix, StoreId } from '../content/content-keys.ts';
import { instant, plusSeconds } from '../instants.ts';
import type { ContentStore, ProjectStore } from '../ports.ts';
import { withFiles } from '../projects/versions/kept-versions.ts';
import { knownFiles } from '../projects/publishing/known-files.ts';
import type { Project, Version } from '../projects/project.ts';
import { chargeOf, unlimited } from '../projects/quota.ts';
import { servingRecord } from '../projects/serving.ts';
import { storeVersion } from '../projects/publishing/store-version.ts';
import type { Manifest } from '../visit/manifest.ts';
import { faultOf } from './archive-faults.ts';
import { exportedFiles } from './export-facts.ts';
import { filesHash } from './files-hash.ts';
import type { ArchivedObjects, Found, ImportStore } from './import-ports.ts';
import { objectName } from './object-name.ts';
import { areOf, isRestored, restoredProject } from './restored-project.ts';

/** What restoring a project needs. */
export interface ImportProjectDeps {
  imports: ImportStore;
  projects: Pick<ProjectStore, 'versions' | 'availability' | 'removeRows'>;
  content: ContentStore;
  objects: ArchivedObjects;
  addresses: { hostOf(slug: Project['slug']): string };
  now(): Date;
}

/** What became of a project: `same` when it was there already. */
export type Imported = 'restored' | 'same' | { refused: string };

/** What is not shown after a week is swept. */
const begunSeconds = 7 * 86_400;

/**
 * Restores one project with its id, address, settings and versions, held to no plan. Nobody sees
 * any of it before all of it is there; a call that was cut off is taken up by the next.
 */
export async function importProject(
  deps: ImportProjectDeps,
  ownerId: AccountId,
  archived: ArchivedProject,
): Promise<Imported> {
  const fault = faultOf(archived);
  if (fault !== undefined) return { refused: `${fault} in the export` };
  const host = deps.addresses.hostOf(archived.slug);
  const project = restoredProject(archived, { ownerId, host });
  const found = await deps.imports.find(project.id);
  if (found !== undefined && !found.isBegun) return compared(deps, found, ownerId, archived);
  const now = deps.now();
  const { id: projectId, slug } = project;
  const claimant = { projectId, slug, accountId: ownerId, isImport: true };
  const availability = await deps.projects.availability(host, claimant, now);
  if (availability !== 'available') return taken(project);
  const missing = await missingObject(deps.objects, archived);
  if (missing !== undefined) return { refused: `objects/${missing} is missing or damaged` };
  const kept = found === undefined ? [] : await begunVersions(deps, archived);
  const dueAt = instant(plusSeconds(now, begunSeconds));
  if (!(await deps.imports.begin({ project, at: instant(now), dueAt }))) return busy;
  return show(deps, project, await storeVersions(deps, archived, kept));
}

const busy = { refused: 'it is being imported or removed right now; try again in a few minutes' };

function taken({ host }: Project): Imported {
  return { refused: `its address ${host} is taken` };
}

async function missingObject(
  objects: ArchivedObjects,
  { versions }: ArchivedProject,
): Promise<string | undefined> {
  const files = versions.flatMap((version) => version.files);
  const distinct = new Map(files.map((file) => [objectName(file), file]));
  for (const [name, file] of distinct) if (!(await objects.holds(file))) return name;
  return undefined;
}

async function compared(
  deps: ImportProjectDeps,
  { project }: Found,
  ownerId: AccountId,
  archived: ArchivedProject,
): Promise<Imported> {
  if (project.ownerId !== ownerId) return { refused: 'its id belongs to another account' };
  if (project.removingAt !== null) return { refused: 'it was deleted here and is not gone yet' };
  const versions = await deps.projects.versions(project.id);
  const kept = await withFiles(deps.content, project.id, versions);
  return isRestored(project, kept, archived)
    ? 'same'
    : { refused: 'it is there already and is another; it stays as it is' };
}

type KeptVersion = Version & { files: Manifest };

/** Versions that an earlier call stored; none, and nothing of them, where it was about another export. */
async function begunVersions(
  { projects, content }: ImportProjectDeps,
  archived: ArchivedProject,
): Promise<KeptVersion[]> {
  const { id } = archived;
  const kept = await withFiles(content, id, await projects.versions(id));
  if (areOf(kept, archived)) return kept;
  await content.deletePrefix(projectPrefix(id));
  await projects.removeRows(id, undefined);
  return [];
}

async function storeVersions(
  deps: ImportProjectDeps,
  archived: ArchivedProject,
  kept: readonly KeptVersion[],
): Promise<KeptVersion[]> {
  const all = [...kept];
  for (const version of archived.versions) {
    if (all.some((one) => one.version === version.version)) continue;
    all.push(await storeArchived(deps, archived.id, { version, kept: all }));
  }
  return all;
}

async function storeArchived(
  { content, objects, imports }: ImportProjectDeps,
  projectId: Project['id'],
  { version, kept }: { version: ArchivedVersion; kept: readonly KeptVersion[] },
): Promise<KeptVersion> {
  const { type, home, bytes, fileCount, createdAt } = version;
  const upload = {
    type,
    home,
    bytes,
    fileCount,
    title: '',
    async *files() {
      for (const { path, size, hash } of version.files) {
        yield { path, size, content: objects.read({ size, hash }) };
      }
    },
  };
  const target = { projectId, store: storeOf(projectId, version) };
  const stored = await storeVersion(content, target, upload, { known: knownFiles(kept) });
  if (filesHash(exportedFiles(stored.files)) !== version.filesHash) {
    throw new Error(`contents of version ${version.version} of project ${projectId} are damaged`);
  }
  const { files, ...rest } = stored;
  const row = { ...rest, version: version.version, createdAt };
  await imports.addVersion(projectId, row);
  return { ...row, files };
}

/** The same for the same version, so that one that was cut off is written over and not beside. */
function storeOf(projectId: Project['id'], { version, filesHash }: ArchivedVersion): StoreId {
  const digest = createHash('sha256').update(`${projectId} ${version} ${filesHash}`).digest('hex');
  return StoreId.parse(digest.slice(0, 16));
}

async function show(
  deps: ImportProjectDeps,
  project: Project,
  versions: readonly Version[],
): Promise<Imported> {
  const live = versions.find(({ version }) => version === project.version);
  if (live === undefined) throw new Error('the live version was not stored');
  const site = servingRecord(project, live);
  const charge = chargeOf(undefined, project, unlimited);
  const outcome = await deps.imports.show({ project, site, charge, at: instant(deps.now()) });
  if (outcome === 'slug-taken') return taken(project);
  if (outcome === 'account-suspended') return { refused: 'its account is suspended here' };
  if (outcome === 'workspace-gone') return { refused: 'its workspace is being deleted here' };
  return outcome === 'shown' ? 'restored' : busy;
}

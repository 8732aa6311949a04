import type { ProjectId } from '../../../contract/fields.ts';
import type { ContentStore } from '../../ports.ts';
import { type Manifest, readContent } from '../../visit/manifest.ts';
import type { Project, Version } from '../project.ts';
import { rememberedFiles } from '../publishing/known-files.ts';
import type { UnpublishedVersion } from '../publishing/store-version.ts';

/** Every file of a version: from its row, or from an object beside its files; `undefined` if that object was removed. */
export async function readManifest(
  content: Pick<ContentStore, 'get'>,
  projectId: ProjectId,
  version: Pick<Version, 'store' | 'manifest' | 'rules' | 'manifestHash'>,
): Promise<Manifest | undefined> {
  return (await readContent(content, { ...version, projectId }))?.files;
}

/** A version with its manifest read. */
export type VersionWithFiles = Version & { files: Manifest };

/**
 * A version's manifest is not in storage. Either its project was removed since its row was read, or
 * the manifest was lost, which must never happen.
 */
export class MissingManifest extends Error {
  constructor({ version }: Pick<Version, 'version'>) {
    super(`version ${version} has no manifest`);
  }
}

/**
 * A version with its manifest read.
 * @throws MissingManifest
 */
export async function loadVersionFiles(
  content: Pick<ContentStore, 'get'>,
  projectId: ProjectId,
  version: Version,
): Promise<VersionWithFiles> {
  const files = await readManifest(content, projectId, version);
  if (files === undefined) throw new MissingManifest(version);
  return { ...version, files };
}

/**
 * Versions with their manifests read.
 * @throws MissingManifest
 */
export async function loadAllVersionFiles(
  content: Pick<ContentStore, 'get'>,
  projectId: ProjectId,
  versions: readonly Version[],
): Promise<VersionWithFiles[]> {
  return Promise.all(versions.map((version) => loadVersionFiles(content, projectId, version)));
}

/** Versions with their manifests read, without those whose manifest was lost: nothing is known of their files. */
export async function loadReadableVersionFiles(
  content: Pick<ContentStore, 'get'>,
  projectId: ProjectId,
  versions: readonly Version[],
): Promise<VersionWithFiles[]> {
  const loaded = await Promise.all(
    versions.map(async (version) => {
      const files = await readManifest(content, projectId, version);
      return files === undefined ? [] : [{ ...version, files }];
    }),
  );
  return loaded.flat();
}

/** Few, because each may have 20,000 files; enough for a short wait. */
const readAtOnce = 4;

/**
 * The live version, and the files of all that are kept, some manifests at once. A version whose manifest
 * was lost is left out.
 * @param versions newest first
 */
export async function readKeptFiles(
  content: Pick<ContentStore, 'get'>,
  { id, version: liveVersion }: Pick<Project, 'id' | 'version'>,
  versions: readonly Version[],
) {
  const known = rememberedFiles();
  const isLive = ({ version }: Version) => version === liveVersion;
  let live: VersionWithFiles | undefined;
  for (let at = 0; at < versions.length && known.hasRoom(); at += readAtOnce) {
    const some = versions.slice(at, at + readAtOnce);
    const read = await loadReadableVersionFiles(content, id, some);
    for (const one of read) known.add(one);
    live ??= read.find(isLive);
  }
  live ??= (await loadReadableVersionFiles(content, id, versions.filter(isLive)))[0];
  return { live, known };
}

/** One transaction takes 100 items (Amazon DynamoDB), of which a pruned version needs two. */
export const maxPruned = 20;

/**
 * The versions to prune when a version is added, oldest first, so that at most `versionsKept` stay,
 * including the one that always stays; -1 keeps all. `kept` are the others.
 *
 * A push prunes one version at most. If the plan became smaller, there may be more surplus
 * versions; they are pruned a week after the notice to the owner (decision 0038).
 */
export function surplusVersions<V extends Version>(
  kept: readonly V[],
  versionsKept: number,
): readonly V[] {
  if (versionsKept === -1) return [];
  const isFull = kept.length + 1 > versionsKept;
  return isFull ? kept.toSorted((a, b) => a.version - b.version).slice(0, 1) : [];
}

/** Whether visitors see the same content in both versions. */
export function isSameContent(live: VersionWithFiles, stored: UnpublishedVersion): boolean {
  if (live.type !== stored.type || live.home !== stored.home) return false;
  if (live.files.size !== stored.files.size) return false;
  for (const [path, { size, hash }] of stored.files) {
    const entry = live.files.get(path);
    if (entry === undefined || entry.size !== size || entry.hash !== hash) return false;
  }
  return true;
}

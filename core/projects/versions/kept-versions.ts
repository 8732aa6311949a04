import type { ProjectId } from '../../../contract/fields.ts';
import { manifestKey } from '../../content/content-keys.ts';
import type { ContentStore } from '../../ports.ts';
import { decodeManifest, type Manifest } from '../../visit/manifest.ts';
import type { Version } from '../project.ts';

/** Every file of a version: from its row, or from the object beside its files; `undefined` when that is gone. */
export async function manifestOf(
  content: Pick<ContentStore, 'get'>,
  projectId: ProjectId,
  { store, manifest }: Pick<Version, 'store' | 'manifest'>,
): Promise<Manifest | undefined> {
  if (manifest !== undefined) return decodeManifest(manifest);
  const stored = await content.get(manifestKey(projectId, store));
  return stored === undefined ? undefined : decodeManifest(stored);
}

/** A version with its manifest read. */
export type ReadVersion = Version & { files: Manifest };

/** A version with its manifest read. */
export async function withManifest(
  content: Pick<ContentStore, 'get'>,
  projectId: ProjectId,
  version: Version,
): Promise<ReadVersion> {
  const files = await manifestOf(content, projectId, version);
  if (files === undefined) throw new Error(`version ${version.version} has no manifest`);
  return { ...version, files };
}

/** Versions with their manifests read. */
export async function withFiles(
  content: Pick<ContentStore, 'get'>,
  projectId: ProjectId,
  versions: readonly Version[],
): Promise<ReadVersion[]> {
  return Promise.all(versions.map((version) => withManifest(content, projectId, version)));
}

/** One transaction takes 100 items (Amazon DynamoDB), of which a version that goes needs two. */
export const maxPruned = 20;

/**
 * Versions that leave the history when another comes to it, oldest first, so that at most
 * `versionsKept` stay with the one that stays whatever its age; -1 keeps all. `kept` are the others.
 *
 * One comes, so that one leaves: more than the plan keeps are there after the plan became smaller,
 * and those leave when their owner has been told for a week (decision 0038).
 */
export function surplusVersions<V extends Version>(
  kept: readonly V[],
  versionsKept: number,
): readonly V[] {
  if (versionsKept === -1) return [];
  const isFull = kept.length + 1 > versionsKept;
  return isFull ? kept.toSorted((a, b) => a.version - b.version).slice(0, 1) : [];
}

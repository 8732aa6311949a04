import { createHash } from 'node:crypto';
import type { ProjectId } from '../../contract/fields.ts';

/** Prefix of everything a project ever stored. */
export function projectPrefix(projectId: ProjectId): string {
  return `content/${projectId}/`;
}

/** Prefix of one version; fresh for every push and never written again. */
export function versionPrefix(projectId: ProjectId, version: number): string {
  return `${projectPrefix(projectId)}${version}/`;
}

/**
 * The object key of one file. The path is hashed: a key may not pass 1,024 bytes (S3) while a
 * path alone may be that long, and no character of a path ever reaches a URL of the store.
 */
export function contentKey(projectId: ProjectId, version: number, path: string): string {
  const digest = createHash('sha256').update(path).digest('hex').slice(0, 32);
  return versionPrefix(projectId, version) + digest;
}

/** The object key of a manifest too large for its serving record. */
export function manifestKey(projectId: ProjectId, version: number): string {
  return `${versionPrefix(projectId, version)}manifest`;
}

/** The first 96 bits of SHA-256 as base64url: two contents of one path never meet in it by chance. */
export function contentHash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url').slice(0, 16);
}

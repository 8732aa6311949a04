import { createHash, randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { ProjectId } from '../../contract/fields.ts';

/** Where one upload of a project puts what it stores: a fresh name each time, never written again. */
export const StoreId = z
  .string()
  .regex(/^[0-9a-f]{1,16}$/)
  .brand<'StoreId'>();
export type StoreId = z.infer<typeof StoreId>;

/** A store that nothing was ever put into. */
export function newStoreId(): StoreId {
  return StoreId.parse(randomBytes(8).toString('hex'));
}

/** Prefix of everything a project ever stored. */
export function projectPrefix(projectId: ProjectId): string {
  return `content/${projectId}/`;
}

/** Prefix of what one upload stored. */
export function storePrefix(projectId: ProjectId, store: StoreId): string {
  return `${projectPrefix(projectId)}${store}/`;
}

/**
 * Where an upload puts the file at `path`: `<store>/<32 hex digits>`, to be kept in a manifest.
 *
 * The path is hashed: a key may not pass 1,024 bytes (S3) while a path alone may be that long, and
 * no character of a path ever reaches a URL of the store.
 */
export function placeOf(store: string, path: string): string {
  return `${store}/${createHash('sha256').update(path).digest('hex').slice(0, 32)}`;
}

/** The object key of a file that stands at `place`. */
export function contentKey(projectId: ProjectId, place: string): string {
  return projectPrefix(projectId) + place;
}

/** The object key of a manifest too large for its serving record. */
export function manifestKey(projectId: ProjectId, store: StoreId): string {
  return `${storePrefix(projectId, store)}manifest`;
}

/** The object key of the markup that a single file of text is shown by. */
export function markupKey(projectId: ProjectId, store: StoreId): string {
  return `${storePrefix(projectId, store)}markup`;
}

/** Hashes a file in parts; `contentHash` of all of them together. */
export function contentHasher() {
  const hash = createHash('sha256');
  return {
    update: (bytes: Uint8Array) => void hash.update(bytes),
    digest: () => hash.digest('base64url').slice(0, 16),
  };
}

/** The first 96 bits of SHA-256 as base64url: two contents of one path never meet in it by chance. */
export function contentHash(bytes: Uint8Array): string {
  const hasher = contentHasher();
  hasher.update(bytes);
  return hasher.digest();
}

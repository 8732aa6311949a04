import * as z from 'zod';
import { createHash, randomBytes } from 'node:crypto';
import type { ProjectId } from '../../contract/fields.ts';

/** The name of a store. Each upload of a project gets a new one; no later upload writes to it. */
export const StoreId = z
  .string()
  .regex(/^[0-9a-f]{1,16}$/)
  .brand<'StoreId'>();
export type StoreId = z.infer<typeof StoreId>;

/** The name of a new, empty store. */
export function newStoreId(): StoreId {
  return StoreId.parse(randomBytes(8).toString('hex'));
}

/** The key prefix of all stores of a project. */
export function projectPrefix(projectId: ProjectId): string {
  return `content/${projectId}/`;
}

/** The key prefix of one store. */
export function storePrefix(projectId: ProjectId, store: StoreId): string {
  return `${projectPrefix(projectId)}${store}/`;
}

/**
 * Where an upload stores the file at `path`: `<store>/<32 hex digits>`. The manifest records it.
 *
 * The path is hashed for two reasons. An S3 key is limited to 1,024 bytes, and a path alone may be
 * that long. And no character of a path appears in a URL of the store.
 */
export function uploadLocation(store: string, path: string): string {
  return `${store}/${createHash('sha256').update(path).digest('hex').slice(0, 32)}`;
}

/** The object key of the file at `location`. */
export function contentKey(projectId: ProjectId, location: string): string {
  return projectPrefix(projectId) + location;
}

/** The object key of a manifest too large for its serving record. */
export function manifestKey(projectId: ProjectId, store: StoreId): string {
  return `${storePrefix(projectId, store)}manifest`;
}

/** The object key of the highlighted markup of a single text file. */
export function markupKey(projectId: ProjectId, store: StoreId): string {
  return `${storePrefix(projectId, store)}markup`;
}

/** Computes `contentHash` of a file that arrives in parts. */
export function contentHasher() {
  const hash = createHash('sha256');
  return {
    update: (bytes: Uint8Array) => void hash.update(bytes),
    digest: () => hash.digest('base64url').slice(0, 16),
  };
}

/**
 * The first 96 bits of SHA-256 as base64url: long enough that two contents of one path never
 * collide by chance.
 */
export function contentHash(bytes: Uint8Array): string {
  const hasher = contentHasher();
  hasher.update(bytes);
  return hasher.digest();
}

/** Identifies one store. */
export interface StoreKey {
  projectId: ProjectId;
  store: StoreId;
}

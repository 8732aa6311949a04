import * as z from 'zod/mini';
import { createHash, randomBytes } from 'node:crypto';
import type { ProjectId } from '../../contract/fields.ts';

/** The name of a store. Each upload of a project gets a new one; no later upload writes to it. */
export const StoreId = z
  .string()
  .check(z.regex(/^[0-9a-f]{1,16}$/))
  .brand<'StoreId'>();
export type StoreId = z.infer<typeof StoreId>;

/** SHA-256 of the object with a version's manifest and rules, in base64url. */
export const ManifestHash = z
  .string()
  .check(z.regex(/^[\w-]{43}$/))
  .brand<'ManifestHash'>();
export type ManifestHash = z.infer<typeof ManifestHash>;

/** The hash of the bytes of such an object. */
export function manifestHash(bytes: Uint8Array): ManifestHash {
  return ManifestHash.parse(createHash('sha256').update(bytes).digest('base64url'));
}

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

/** Where the brotli form of the file at `location` is stored. */
export function brotliLocation(location: string): string {
  return `${location}.br`;
}

/**
 * Where a pack is stored: `<store>/p<24 hex digits>-<bytes>`. The digits are a digest of its files'
 * hashes, so no two packs share a key. The bytes tell a push how much of the pack is in use,
 * without a read.
 */
export function packLocation(store: string, digest: string, bytes: number): string {
  return `${store}/p${digest.slice(0, 24)}-${bytes}`;
}

/** The bytes of the files in the pack at `location`; `undefined` for an object of one file. */
export function packLength(location: string): number | undefined {
  const bytes = /\/p[0-9a-f]{24}-(\d+)$/.exec(location)?.[1];
  return bytes === undefined ? undefined : Number(bytes);
}

/** The object key of the file at `location`. */
export function contentKey(projectId: ProjectId, location: string): string {
  return projectPrefix(projectId) + location;
}

/** The key prefix of all manifests of a store. */
export function manifestsPrefix(projectId: ProjectId, store: StoreId): string {
  return `${storePrefix(projectId, store)}manifest/`;
}

/** The object key of manifest and rules that are too large for a row. */
export function manifestKey(projectId: ProjectId, store: StoreId, hash: ManifestHash): string {
  return manifestsPrefix(projectId, store) + hash;
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

import { gunzipSync, gzipSync } from 'node:zlib';
import * as z from 'zod';
import { manifestKey, uploadLocation, type StoreId } from '../content/content-keys.ts';
import type { ContentStore } from '../ports.ts';
import type { ServingRecord } from './serving-record.ts';

/** One published file: its size in bytes, and the first 96 bits of its SHA-256, which make its ETag. */
export interface FileEntry {
  size: number;
  hash: string;
  /** Its location when another version's upload stored it: the store, or `<store>/<digest>`. */
  storedAt?: string | undefined;
}

/** Every file of one version by its path; immutable once published. */
export type Manifest = ReadonlyMap<string, FileEntry>;

const Rows = z.array(
  z.union([
    z.tuple([z.string(), z.number().int().nonnegative(), z.string()]),
    z.tuple([z.string(), z.number().int().nonnegative(), z.string(), z.string()]),
  ]),
);

/** A manifest up to this size is part of the serving record, so that a page view is one read. */
export const maxInlineManifestBytes = 64 * 1024;

/** The stored form: gzipped JSON rows `[path, size, hash]`, and `storedAt` where there is one. */
export function encodeManifest(manifest: Manifest): Uint8Array {
  const rows = [...manifest].map(([path, { size, hash, storedAt }]) =>
    storedAt === undefined ? [path, size, hash] : [path, size, hash, storedAt],
  );
  return gzipSync(JSON.stringify(rows));
}

/** The inverse of {@link encodeManifest}. */
export function decodeManifest(stored: Uint8Array): Manifest {
  const rows = Rows.parse(JSON.parse(gunzipSync(stored).toString()));
  return new Map(
    rows.map(([path, size, hash, storedAt]) => [
      path,
      storedAt === undefined ? { size, hash } : { size, hash, storedAt },
    ]),
  );
}

/** Where a file of a version is stored: `<store>/<digest>` below the project's prefix. */
export function fileLocation(store: StoreId, path: string, { storedAt }: FileEntry): string {
  if (storedAt === undefined) return uploadLocation(store, path);
  return storedAt.includes('/') ? storedAt : uploadLocation(storedAt, path);
}

/** The manifest entry of a file at `path` that is stored at `location` already. */
export function entryStoredAt(
  location: string,
  path: string,
  { size, hash }: FileEntry,
): FileEntry {
  const [store = ''] = location.split('/');
  return { size, hash, storedAt: location === uploadLocation(store, path) ? store : location };
}

const maxCachedManifests = 50;

/**
 * Loads the files of a site's version; `undefined` when the version was removed a moment ago.
 * `manifests` caches those that are objects of their own.
 */
export async function loadManifest(
  deps: { content: Pick<ContentStore, 'get'>; manifests: Map<string, Manifest> },
  site: ServingRecord,
): Promise<Manifest | undefined> {
  if (site.manifest !== undefined) return decodeManifest(site.manifest);
  const key = manifestKey(site.projectId, site.store);
  const cached = deps.manifests.get(key);
  if (cached !== undefined) return cached;
  const stored = await deps.content.get(key);
  if (stored === undefined) return undefined;
  const manifest = decodeManifest(stored);
  for (const oldest of deps.manifests.keys()) {
    if (deps.manifests.size < maxCachedManifests) break;
    deps.manifests.delete(oldest);
  }
  deps.manifests.set(key, manifest);
  return manifest;
}

import { gunzipSync, gzipSync } from 'node:zlib';
import * as z from 'zod';
import { placeOf, type StoreId } from '../content/content-keys.ts';

/** One published file: its size in bytes, and the first 96 bits of its SHA-256, which make its ETag. */
export interface FileEntry {
  size: number;
  hash: string;
  /** Where it stands when another version's upload stored it: its store, or `<store>/<digest>`. */
  kept?: string | undefined;
}

/** Every file of one version by its path; immutable once published. */
export type Manifest = ReadonlyMap<string, FileEntry>;

const Rows = z.array(
  z.union([
    z.tuple([z.string(), z.number().int().nonnegative(), z.string()]),
    z.tuple([z.string(), z.number().int().nonnegative(), z.string(), z.string()]),
  ]),
);

/** A manifest no larger than this travels inside the serving record, so that a page view is one read. */
export const maxInlineManifestBytes = 64 * 1024;

/** The stored form: gzipped JSON rows `[path, size, hash]`, and `kept` where there is one. */
export function encodeManifest(manifest: Manifest): Uint8Array {
  const rows = [...manifest].map(([path, { size, hash, kept }]) =>
    kept === undefined ? [path, size, hash] : [path, size, hash, kept],
  );
  return gzipSync(JSON.stringify(rows));
}

/** The opposite of {@link encodeManifest}. */
export function decodeManifest(stored: Uint8Array): Manifest {
  const rows = Rows.parse(JSON.parse(gunzipSync(stored).toString()));
  return new Map(
    rows.map(([path, size, hash, kept]) => [
      path,
      kept === undefined ? { size, hash } : { size, hash, kept },
    ]),
  );
}

/** Where a file of a version stands: `<store>/<digest>` below the project's prefix. */
export function placeIn(store: StoreId, path: string, { kept }: FileEntry): string {
  if (kept === undefined) return placeOf(store, path);
  return kept.includes('/') ? kept : placeOf(kept, path);
}

/** The entry of a file at `path` that stands at `place` already. */
export function keptAt(place: string, path: string, { size, hash }: FileEntry): FileEntry {
  const [store = ''] = place.split('/');
  return { size, hash, kept: place === placeOf(store, path) ? store : place };
}

import { gunzipSync, gzipSync } from 'node:zlib';
import * as z from 'zod';

/** One published file: its size in bytes and the first 96 bits of its SHA-256, which make its ETag. */
export interface FileEntry {
  size: number;
  hash: string;
}

/** Every file of one version by its path; immutable once published. */
export type Manifest = ReadonlyMap<string, FileEntry>;

const Rows = z.array(z.tuple([z.string(), z.number().int().nonnegative(), z.string()]));

/** A manifest no larger than this travels inside the serving record, so that a page view is one read. */
export const maxInlineManifestBytes = 64 * 1024;

/** The stored form: gzipped JSON rows `[path, size, hash]`. */
export function encodeManifest(manifest: Manifest): Uint8Array {
  const rows = [...manifest].map(([path, { size, hash }]) => [path, size, hash]);
  return gzipSync(JSON.stringify(rows));
}

/** The opposite of {@link encodeManifest}. */
export function decodeManifest(stored: Uint8Array): Manifest {
  const rows = Rows.parse(JSON.parse(gunzipSync(stored).toString()));
  return new Map(rows.map(([path, size, hash]) => [path, { size, hash }]));
}

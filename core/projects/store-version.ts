import type { ProjectId } from '../../contract/fields.ts';
import { contentHash, contentKey, manifestKey, versionPrefix } from '../content/content-keys.ts';
import { baseName } from '../content/file-name.ts';
import { mediaType } from '../content/media-type.ts';
import type { PreparedUpload } from '../content/prepare-upload.ts';
import type { ContentStore } from '../ports.ts';
import { cacheTag } from '../visit/cache-policy.ts';
import { encodeManifest, type Manifest, maxInlineManifestBytes } from '../visit/manifest.ts';

/** Puts under way at once: enough to hide latency, few enough to stay within a function's sockets. */
const concurrency = 16;

/** The manifest as the serving record carries it; absent when it is an object of its own. */
export interface StoredVersion {
  manifest?: Uint8Array;
}

/**
 * Stores every file of a version under its fresh prefix, and its manifest where that is large.
 * When anything fails, what was stored is removed again before the error goes on.
 */
export async function storeVersion(
  content: ContentStore,
  projectId: ProjectId,
  version: number,
  upload: PreparedUpload,
): Promise<StoredVersion> {
  try {
    await inParallel(upload.files, ({ path, bytes }) =>
      content.put({
        key: contentKey(projectId, version, path),
        bytes,
        contentType: mediaType(path),
        contentDisposition: inlineAs(path),
        cacheTag: cacheTag(projectId),
      }),
    );
    return await storeManifest(content, projectId, version, manifestOf(upload));
  } catch (error) {
    await content.deletePrefix(versionPrefix(projectId, version));
    throw error;
  }
}

/** `inline` with the file's own name, so that saving a shown file keeps it (RFC 6266, RFC 8187). */
export function inlineAs(path: string): string {
  const name = encodeURIComponent(baseName(path)).replace(/['()*]/g, percent);
  return `inline; filename*=UTF-8''${name}`;
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

function manifestOf(upload: PreparedUpload): Manifest {
  return new Map(
    upload.files.map(({ path, bytes }) => [path, { size: bytes.length, hash: contentHash(bytes) }]),
  );
}

async function storeManifest(
  content: ContentStore,
  projectId: ProjectId,
  version: number,
  files: Manifest,
): Promise<StoredVersion> {
  const manifest = encodeManifest(files);
  if (manifest.length <= maxInlineManifestBytes) return { manifest };
  await content.put({
    key: manifestKey(projectId, version),
    bytes: manifest,
    contentType: 'application/gzip',
    cacheTag: cacheTag(projectId),
  });
  return {};
}

/** Runs `work` over all items, a few at a time; after a failure no further one is started, and none is under way when it throws. */
async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const failures: unknown[] = [];
  const worker = async () => {
    for (const item of queue) {
      if (failures.length > 0) return;
      await work(item).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker));
  if (failures.length > 0) throw failures[0];
}

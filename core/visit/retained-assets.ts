import { baseName, isHtml } from '../content/media-type.ts';
import { type ContentMemory, type FileEntry, loadContent, type Manifest } from './manifest.ts';
import type { ContentStore } from '../ports.ts';
import { hasHashedName } from './protocol/cache-policy.ts';
import { readRequestPath } from './protocol/request-path.ts';
import type { ServingRecord } from './serving-record.ts';

/**
 * A script or style with eight letters where bundlers write a hash, whether or not they look like a
 * hash.
 */
const codeWithHash = /[.-][\w-]{8}\.(?:m?js|css)$/;

/**
 * The paths of a version's assets whose names contain a hash of their content. One hash in twenty
 * does not look like one (`main-abcdefgh.js`): it counts as a hash if another file of its folder
 * has a name that does.
 */
export function hashedAssets(files: Manifest): string[] {
  const paths = [...files.keys()].filter((path) => !isHtml(path));
  const strict = paths.filter(hasHashedName);
  const folders = new Set(strict.map(folderOf));
  const others = paths.filter(
    (path) => !hasHashedName(path) && codeWithHash.test(path) && folders.has(folderOf(path)),
  );
  return [...strict, ...others];
}

function folderOf(path: string): string {
  return path.slice(0, path.length - baseName(path).length);
}

type RetainingSite = Pick<ServingRecord, 'projectId' | 'store' | 'home' | 'retained'>;

/** The retained assets of a site, with the time at which each of them ends. */
async function loadRetained(
  deps: { content: Pick<ContentStore, 'get'>; contents: ContentMemory },
  { projectId, store, retained }: Omit<RetainingSite, 'home'>,
): Promise<Manifest> {
  if (retained === undefined) return new Map();
  const loaded = await loadContent(deps, { projectId, store, manifestHash: retained.hash });
  return loaded?.files ?? new Map();
}

/** Whether a retained asset is still reachable. */
export function isRetained({ until }: FileEntry, now: Date): boolean {
  return until !== undefined && Date.parse(until) > now.getTime();
}

/**
 * The files of a site, with the requested asset of an earlier version if the live one does not have it.
 * Storage is read only for a path that has no file and the shape of an asset with a hash.
 */
export async function withRetainedAsset(
  deps: { content: Pick<ContentStore, 'get'>; contents: ContentMemory },
  { site, files }: { site: RetainingSite; files: Manifest },
  requestPath: string,
  now: Date,
): Promise<Manifest> {
  const { retained, home } = site;
  if (retained === undefined || home === null || Date.parse(retained.until) <= now.getTime()) {
    return files;
  }
  const path = readRequestPath(requestPath)?.path;
  if (path === undefined || files.has(path)) return files;
  if (!hasHashedName(path) && !codeWithHash.test(path)) return files;
  const entry = (await loadRetained(deps, site)).get(path);
  return entry !== undefined && isRetained(entry, now) ? new Map([...files, [path, entry]]) : files;
}

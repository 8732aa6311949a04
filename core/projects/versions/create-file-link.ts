import type { AccountCaller } from '../../caller.ts';
import { fileCopyKey, type StoreKey } from '../../content/content-keys.ts';
import { baseName, mediaType } from '../../content/media-type.ts';
import { quoted } from '../../content/safe-path.ts';
import { CodedError } from '../../errors.ts';
import { instant, plusSeconds } from '../../instants.ts';
import type { RequestLimitDeps } from '../../limits/counters.ts';
import { countedContent, type WrittenBytes, writtenBytes } from '../../limits/written-bytes.ts';
import type { ContentLinks } from '../../transfer/ports.ts';
import type { ContentStore } from '../../ports.ts';
import { filePlace, readFilePlace } from '../../visit/file-place.ts';
import type { FileEntry } from '../../visit/manifest.ts';
import { cacheTag } from '../../visit/protocol/cache-policy.ts';
import { type ReadFilesDeps, readVersion } from './list-files.ts';

/** The dependencies for making links to files. */
export interface FileLinkDeps extends ReadFilesDeps, RequestLimitDeps {
  content: Pick<ContentStore, 'get' | 'has' | 'put' | 'deleteKeys'>;
  links: Pick<ContentLinks, 'sign'>;
}

const linkSeconds = 600;

/**
 * A link that downloads one file of a kept version as it was uploaded, whatever the project's status.
 * @throws CodedError NOT_FOUND, UPLOAD_INCOMPLETE, RATE_LIMITED
 */
export async function createFileLink(
  deps: FileLinkDeps,
  caller: AccountCaller,
  input: { projectId: string; path: string; version?: number | undefined },
) {
  const { project, version } = await readVersion(deps, caller, input);
  const path = input.path.normalize('NFC');
  const entry = version.files.get(path);
  const at = { projectId: project.id, store: version.store };
  const written = writtenBytes(deps, caller, 'stored');
  const key = entry && (await linkableKey(deps, { ...at, written }, path, entry));
  if (key === undefined) {
    throw new CodedError('NOT_FOUND', {
      error: `Version ${version.version} has no file ${quoted(path)}.`,
      nextStep: 'GET /v1/projects/{projectId}/files lists the files.',
    });
  }
  const now = deps.now();
  return {
    url: await deps.links.sign(key, linkSeconds, baseName(path)),
    expiresAt: instant(plusSeconds(now, linkSeconds)),
  };
}

/**
 * The key of an object with nothing but this file. A signed link gives a whole object, so a file in a
 * pack is copied first, by the first link to it: what a version shows at a path never changes. Two links
 * at once may both write the copy; beside a deletion, the second may lead to nothing. It goes with its version, whose files stay for two hours after it left
 * the history, longer than a link; a project that is deleted meanwhile may have been emptied already, and
 * gets none.
 */
async function linkableKey(
  { content, projects }: FileLinkDeps,
  { written, ...at }: StoreKey & { written: WrittenBytes },
  path: string,
  entry: FileEntry,
): Promise<string | undefined> {
  const place = filePlace(at, path, entry);
  if (place.offset === undefined) return place.key;
  const key = fileCopyKey(at, path);
  if (await content.has(key)) return key;
  const bytes = await readFilePlace(content, place);
  if (bytes === undefined) return undefined;
  const contentType = mediaType(path);
  const copy = { key, bytes, contentType, cacheTag: cacheTag(at.projectId) };
  await countedContent(content, written).put(copy);
  const project = await projects.get(at.projectId);
  if (project !== undefined && project.removingAt === null) return key;
  await content.deleteKeys([key]);
  return undefined;
}

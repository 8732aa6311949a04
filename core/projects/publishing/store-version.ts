import type { ProjectId } from '../../../contract/fields.ts';
import { manifestKey, newStoreId, type StoreId, storePrefix } from '../../content/content-keys.ts';
import type { PreparedUpload } from '../../content/prepare-upload.ts';
import { instant, plusSeconds } from '../../instants.ts';
import type { ContentStore, ProjectStore } from '../../ports.ts';
import { noteRules } from '../../site-rules/note-rules.ts';
import { cacheTag } from '../../visit/protocol/cache-policy.ts';
import { encodeManifest, type Manifest, maxInlineManifestBytes } from '../../visit/manifest.ts';
import { noteText, storeMarkup } from './keep-markup.ts';
import { type KnownFiles, nothingKnown } from './known-files.ts';
import type { Version } from '../project.ts';
import { storeFiles } from './store-files.ts';
import type { OwnStore } from './own-store.ts';

/** After this no function can still be storing an upload that came with its request. */
const storingSeconds = 15 * 60;

/** What storing a version needs. */
export interface StoringDeps {
  projects: Pick<ProjectStore, 'begin'>;
  content: Pick<ContentStore, 'put' | 'putLarge' | 'deletePrefix' | 'renderText'>;
}

/** What a version that nobody sees yet is to become: all but its number and its time. */
export interface StoredVersion extends Omit<Version, 'version' | 'createdAt'> {
  files: Manifest;
}

/** What storing is told beside the upload. */
export interface StoringOptions {
  /** What earlier versions hold. */
  known?: KnownFiles;
  onStored?(file: { size: number }): void;
}

/** Notes that an upload is about to be stored, so that its bytes are found after a crash. */
export async function beginStoring(
  deps: Pick<StoringDeps, 'projects'>,
  projectId: ProjectId,
  startedAt: Date,
): Promise<StoreId> {
  const store = newStoreId();
  await deps.projects.begin({
    projectId,
    store,
    startedAt: instant(startedAt),
    sweepAt: instant(plusSeconds(startedAt, storingSeconds)),
  });
  return store;
}

/**
 * Stores what the project does not hold yet of an upload, and its manifest where that is large.
 * When anything fails, what was stored is removed again before the error goes on.
 */
export async function storeVersion(
  content: StoringDeps['content'],
  target: OwnStore,
  upload: PreparedUpload,
  options: StoringOptions = {},
): Promise<StoredVersion> {
  const { projectId, store } = target;
  try {
    const known = options.known ?? nothingKnown;
    const { type, home, bytes, fileCount } = upload;
    const noted = noteRules(home === null ? 'bundle' : 'site', upload.files());
    const texts = noteText(upload, noted.files);
    const storing = { ...options, ...target, known, isSite: home !== null };
    const files = await storeFiles(content, storing, texts.files);
    const manifest = await storeManifest(content, target, files);
    const markup = await storeMarkup(content, target, texts.text());
    const made = { ...manifest, ...markup, ...noted.rules() };
    return { store, type, home, bytes, fileCount, files, ...made };
  } catch (error) {
    await content.deletePrefix(storePrefix(projectId, store));
    throw error;
  }
}

/** The manifest as the serving record carries it; nothing when it is an object of its own. */
export async function storeManifest(
  content: Pick<ContentStore, 'put'>,
  { projectId, store }: OwnStore,
  files: Manifest,
): Promise<Pick<Version, 'manifest'>> {
  const manifest = encodeManifest(files);
  if (manifest.length <= maxInlineManifestBytes) return { manifest };
  await content.put({
    key: manifestKey(projectId, store),
    bytes: manifest,
    contentType: 'application/gzip',
    cacheTag: cacheTag(projectId),
  });
  return {};
}

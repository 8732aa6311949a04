import { maxFunctionSeconds } from '../../../contract/limits.ts';
import type { ProjectId, ProjectType, Spa } from '../../../contract/fields.ts';
import { defaultSettings } from '../../../contract/project-settings.ts';
import {
  manifestHash,
  manifestKey,
  manifestsPrefix,
  markupKey,
  newStoreId,
  type StoreId,
  type StoreKey,
  storePrefix,
} from '../../content/content-keys.ts';
import { detectType } from '../../content/detect-type.ts';
import { collectLinks, type FoundLinks } from '../../content/links/collect-links.ts';
import { collectPictures } from '../../content/links/collect-pictures.ts';
import { soleFile, takenFinder } from '../../content/taken-pictures.ts';
import type { PreparedUpload } from '../../content/prepare-upload.ts';
import { secretGuard } from '../../content/secrets/secret-guard.ts';
import { instant, plusSeconds } from '../../instants.ts';
import type { WrittenBytes } from '../../limits/written-bytes.ts';
import type { ContentStore, ProjectStore } from '../../ports.ts';
import { collectSiteRules } from '../../site-rules/collect-site-rules.ts';
import { inflatedBytes } from '../../visit/content-memory.ts';
import { cacheTag } from '../../visit/protocol/cache-policy.ts';
import {
  encodeContent,
  encodeManifest,
  fileLocation,
  type Manifest,
  maxInlineContentBytes,
  maxInlineTextBytes,
  type StoredContent,
} from '../../visit/manifest.ts';
import { type KnownFiles, noKnownFiles } from './known-files.ts';
import { filesInSparsePacks, isIn } from './sparse-packs.ts';
import { captureText } from './capture-text.ts';
import { storeFiles } from './store-files.ts';
import type { Version } from '../project.ts';
import type { TextFile } from '../../content/text-file.ts';
import { versionWarnings } from './version-warnings.ts';
import { encodeMarkup, markupRevision } from '../../visit/text-markup.ts';

/** After this time no function can still be storing an upload of its own request. */
const storingTimeoutSeconds = maxFunctionSeconds;

/** The dependencies for storing a version. */
export interface StoringDeps {
  projects: Pick<ProjectStore, 'createIntent'>;
  content: Pick<
    ContentStore,
    'get' | 'put' | 'putLarge' | 'deletePrefix' | 'renderText' | 'findSecrets' | 'findPictures'
  >;
}

/** A version that is stored and not published: it has no number, time or publisher yet. */
export interface UnpublishedVersion
  extends Omit<Version, 'version' | 'createdAt' | 'publishedBy' | 'note'> {
  files: Manifest;
  /** The links found in its pages; they are not stored. */
  links: FoundLinks;
}

/** A version without the fields that are stored elsewhere or not at all. */
export function withoutFiles(
  version: UnpublishedVersion,
): Omit<UnpublishedVersion, 'files' | 'links'> {
  const { files: _, links: __, ...content } = version;
  return content;
}

/** Options of storing a version. */
export interface StoringOptions {
  /** Files of earlier versions, which are not stored again. */
  known?: KnownFiles;
  /**
   * Files of earlier versions that this version keeps beside the upload. They are stored again only
   * if their pack is sparse (`filesInSparsePacks`).
   */
  carried?: Manifest;
  onStored?(file: { size: number }): void;
  /** Counts what is written for an account. */
  written?: WrittenBytes;
  /** The files are some of a version's; its manifest and rules are stored later. */
  isPart?: boolean;
  /** The project's `spa` setting, for the warnings about missing pages. */
  spa?: Spa;
}

/** The type of a single file whose name says another one, unless somebody wants it listed. */
function typeByBytes(
  { type, home, mayBeText }: PreparedUpload,
  files: Manifest,
): ProjectType | undefined {
  if (home !== null || (type === 'files' && mayBeText !== true)) return undefined;
  const format = soleFile(files)?.[1].format;
  return format && detectType(`.${format}`);
}

/** Writes an intent before an upload is stored, so that the sweep finds its bytes after a crash. */
export async function beginStoring(
  deps: Pick<StoringDeps, 'projects'>,
  projectId: ProjectId,
  startedAt: Date,
): Promise<StoreId> {
  const store = newStoreId();
  await deps.projects.createIntent({
    projectId,
    store,
    startedAt: instant(startedAt),
    sweepAt: instant(plusSeconds(startedAt, storingTimeoutSeconds)),
  });
  return store;
}

/**
 * Stores the files of an upload that the project does not have yet, its markup, and its manifest and
 * rules if they are too large for a row. Removes all of them before it throws.
 * @throws CodedError SECRETS_FOUND, RATE_LIMITED
 */
export async function storeVersion(
  content: StoringDeps['content'],
  target: StoreKey,
  upload: PreparedUpload,
  options: StoringOptions = {},
): Promise<UnpublishedVersion> {
  const { projectId, store } = target;
  try {
    const known = options.known ?? noKnownFiles;
    const { home, bytes, fileCount } = upload;
    const reading = readUpload(content, upload);
    const secrets = secretGuard(content.findSecrets, upload);
    const storing = { ...options, ...target, known, isSite: home !== null, secrets };
    const files = await storeFiles(content, storing, reading.files);
    const { rules, ofRules, links, text } = reading.found();
    const type = typeByBytes(upload, files) ?? text?.type ?? upload.type;
    const site = { type, home, spa: options.spa ?? defaultSettings.spa, rules };
    const shown = options.isPart === true ? {} : await storeContent(content, target, files, rules);
    const taken = takenFinder(new Map([...(options.carried ?? []), ...files]));
    const markup = await storeMarkup(content, target, text && { ...text, taken });
    const ofFiles = upload.warnings;
    const warnings =
      options.isPart === true ? {} : versionWarnings(site, files, { links, ofRules, ofFiles });
    const made = { ...shown, ...markup, ...warnings };
    return { store, type, home, bytes, fileCount, files, links, ...made };
  } catch (error) {
    await content.deletePrefix(storePrefix(projectId, store));
    throw error;
  }
}

/** The files of an upload, and once they have passed, the rules, links and text that were read in them. */
function readUpload(content: Pick<ContentStore, 'findPictures'>, upload: PreparedUpload) {
  const kind = upload.home === null ? 'bundle' : 'site';
  const collected = collectSiteRules(kind, upload.files());
  const linked = collectLinks(kind, collected.files);
  const pictured = collectPictures(
    kind === 'bundle' ? content.findPictures : undefined,
    linked.files,
  );
  const texts = captureText(upload, pictured.files);
  return {
    files: texts.files,
    found() {
      const { rules, warnings: ofRules } = collected.rules();
      const links = { ...linked.found(), pictures: pictured.found() };
      return { rules, ofRules, links, text: texts.text() };
    },
  };
}

/** Manifest and rules for a row; large ones are stored as an object instead, and the row has its hash. */
export async function storeContent(
  content: Pick<ContentStore, 'put'>,
  { projectId, store }: StoreKey,
  files: Manifest,
  rules: Uint8Array | undefined,
): Promise<StoredContent> {
  const manifest = encodeManifest(files);
  const compressed = manifest.length + (rules?.length ?? 0);
  const inflated = inflatedBytes(manifest) + (rules === undefined ? 0 : inflatedBytes(rules));
  if (compressed <= maxInlineContentBytes && inflated <= maxInlineTextBytes) {
    return { manifest, ...(rules !== undefined && { rules }) };
  }
  const bytes = encodeContent(manifest, rules);
  const hash = manifestHash(bytes);
  await content.put({
    key: manifestKey(projectId, store, hash),
    bytes,
    contentType: 'application/octet-stream',
    cacheTag: cacheTag(projectId),
  });
  return { manifestHash: hash };
}

/** Removes the manifest of an earlier attempt: that of the next attempt may have another hash. */
export async function removeManifests(
  content: Pick<ContentStore, 'deletePrefix'>,
  { projectId, store }: StoreKey,
): Promise<void> {
  await content.deletePrefix(manifestsPrefix(projectId, store));
}

/**
 * Stores an upload beside the files that a project has, of which a merge carries some over. A second
 * call stores it again only if those files changed.
 */
export type StoreUpload = (
  upload: PreparedUpload,
  known: KnownFiles,
  carried?: Manifest,
) => Promise<UnpublishedVersion>;

/** A {@link StoreUpload} for a change that may be retried over a newer state of the project. */
export function reusableStore(
  content: StoringDeps['content'],
  target: StoreKey,
  options: Omit<StoringOptions, 'known' | 'carried'> = {},
): StoreUpload {
  let stored: UnpublishedVersion | undefined;
  let folder: string | undefined;
  return async (upload, known, carried = new Map()) => {
    if (
      stored !== undefined &&
      isSite(stored) === isSite(upload) &&
      folder === upload.folder &&
      areFilesStillKnown(stored, known) &&
      needsNothingCarried(stored, carried)
    ) {
      return stored;
    }
    // The project may have these files elsewhere now; the objects stored before would stay unused.
    if (stored !== undefined) {
      await content.deletePrefix(storePrefix(target.projectId, target.store));
    }
    folder = upload.folder;
    stored = await storeVersion(content, target, upload, { ...options, known, carried });
    return stored;
  };
}

/**
 * Whether no carried-over file was stored again for the earlier state, and none has to be stored
 * again now.
 */
function needsNothingCarried(
  { store, files, fileCount }: UnpublishedVersion,
  carried: Manifest,
): boolean {
  if (files.size !== fileCount) return false;
  return filesInSparsePacks(store, new Map([...carried, ...files])).size === 0;
}

/** S3 serves large HTML files of a site as pages, and those of a bundle as downloads. */
function isSite({ home }: Pick<UnpublishedVersion, 'home'>): boolean {
  return home !== null;
}

/** Whether the project still has every file that this version shares with an earlier one. */
function areFilesStillKnown({ store, files }: UnpublishedVersion, known: KnownFiles): boolean {
  for (const [path, entry] of files) {
    const location = fileLocation(store, path, entry);
    if (!isIn(store, location) && !known.holds(location)) return false;
  }
  return true;
}

/**
 * Renders the slow part of a text's page once and stores it beside the version's files. Without it
 * the gate renders the page at every view.
 */
export async function storeMarkup(
  content: Pick<ContentStore, 'put' | 'renderText'>,
  { projectId, store }: StoreKey,
  text: TextFile | undefined,
): Promise<Pick<Version, 'markupRevision'>> {
  const markup = text && (await content.renderText?.(text));
  if (markup === undefined) return {};
  await content.put({
    key: markupKey(projectId, store),
    bytes: encodeMarkup(markup),
    contentType: 'application/gzip',
    cacheTag: cacheTag(projectId),
  });
  return { markupRevision };
}

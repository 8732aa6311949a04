import type { PlanLimits } from '../../../contract/plans.ts';
import { contentKey } from '../../content/content-keys.ts';
import type { IncomingFile } from '../../content/incoming-file.ts';
import { inMemory, type PreparedUpload } from '../../content/prepare-upload.ts';
import { isTextFile, shownTextBytes } from '../../content/text-file.ts';
import type { ContentStore } from '../../ports.ts';
import { noteRules } from '../../site-rules/note-rules.ts';
import { headersFile, redirectsFile } from '../../site-rules/rules-files.ts';
import type { ReadRules } from '../../site-rules/site-rules.ts';
import { type FileEntry, type Manifest, placeIn } from '../../visit/manifest.ts';
import { storeMarkup } from '../publishing/keep-markup.ts';
import type { ReadVersion } from './kept-versions.ts';
import { knownFiles } from '../publishing/known-files.ts';
import { type Merge, type MergePlan, planMerge } from './merge-files.ts';
import type { StoreOnce } from '../publishing/store-once.ts';
import { type StoredVersion, storeManifest } from '../publishing/store-version.ts';
import type { OwnStore } from '../publishing/own-store.ts';

/** What storing a merged version needs. */
interface MergedDeps {
  content: Pick<ContentStore, 'get' | 'put' | 'renderText'>;
  storeOnce: StoreOnce;
}

/**
 * Stores what was sent, and makes a version of it and of what stays of the live one, whose files
 * are neither read nor stored again.
 * @throws CodedError those of planMerge, before anything is stored
 */
export async function storeMerged(
  { content, storeOnce }: MergedDeps,
  target: OwnStore,
  { live, merge, limits }: { live: ReadVersion; merge: Merge; limits: PlanLimits },
): Promise<StoredVersion> {
  const plan = planMerge(live, merge, limits);
  const sent = await storeOnce(uploadOf(merge, plan), knownFiles([live]));
  const files = entriesOf(plan, sent.files);
  const rules = await rulesOf(content, target, { plan, merge, files });
  const manifest = await storeManifest(content, target, files);
  const { type, home } = plan;
  const markup = await markupOf(content, target, { plan, files, sent });
  const bytes = [...files.values()].reduce((sum, { size }) => sum + size, 0);
  const fileCount = files.size;
  return {
    store: target.store,
    type,
    home,
    bytes,
    fileCount,
    files,
    ...manifest,
    ...markup,
    ...rules,
  };
}

/** What was sent, as a part of what it goes into. */
function uploadOf({ sent }: Merge, { type, home }: MergePlan): PreparedUpload {
  const files = [...sent].map(([path, bytes]) => ({ path, bytes }));
  const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0);
  const fileCount = files.length;
  return { type, home, title: '', fileCount, bytes, files: () => inMemory(files) };
}

function entriesOf({ paths, carried }: MergePlan, stored: Manifest): Map<string, FileEntry> {
  const files = new Map<string, FileEntry>();
  for (const path of paths) {
    const entry = stored.get(path) ?? carried.get(path);
    if (entry === undefined) throw new Error('a path of a merged version is of no file');
    files.set(path, entry);
  }
  return files;
}

interface Remaining {
  plan: MergePlan;
  files: Manifest;
  sent: StoredVersion;
}

/** A text that was sent has its markup already; one that alone is left of more files gets one now. */
async function markupOf(
  content: MergedDeps['content'],
  target: OwnStore,
  { plan: { type, home }, files, sent }: Remaining,
): Promise<Pick<StoredVersion, 'markupRevision'>> {
  const { markupRevision } = sent;
  const [only, ...others] = files;
  if (only === undefined || others.length > 0 || home !== null) return {};
  const [path, entry] = only;
  if (!isTextFile(type, path) || entry.size === 0) return {};
  if (markupRevision !== undefined) return { markupRevision };
  const isWhole = entry.size <= shownTextBytes;
  const key = contentKey(target.projectId, placeIn(target.store, path, entry));
  const range = isWhole ? undefined : { first: 0, last: shownTextBytes - 1 };
  const bytes = await content.get(key, range);
  return storeMarkup(content, target, bytes && { path, type, bytes, isWhole });
}

interface Whole {
  plan: MergePlan;
  merge: Merge;
  files: Manifest;
}

/** Those of both files together, whichever of them was sent: they share what room there is. */
async function rulesOf(
  content: Pick<ContentStore, 'get'>,
  target: OwnStore,
  whole: Whole,
): Promise<ReadRules> {
  const kind = whole.plan.home === null ? 'bundle' : 'site';
  const noted = noteRules(kind, rulesFiles(content, target, whole));
  const passing = noted.files[Symbol.asyncIterator]();
  while ((await passing.next()).done !== true);
  return noted.rules();
}

async function* rulesFiles(
  content: Pick<ContentStore, 'get'>,
  { projectId, store }: OwnStore,
  { merge, files }: Whole,
): AsyncGenerator<IncomingFile> {
  for (const path of [redirectsFile, headersFile]) {
    const entry = files.get(path);
    if (entry === undefined) continue;
    const read = async () => content.get(contentKey(projectId, placeIn(store, path, entry)));
    yield { path, size: entry.size, content: whenRead(merge.sent.get(path), read) };
  }
}

/** Read only if it is asked for: one that is too large never is. */
async function* whenRead(
  sent: Uint8Array | undefined,
  read: () => Promise<Uint8Array | undefined>,
): AsyncGenerator<Uint8Array> {
  const bytes = sent ?? (await read());
  if (bytes === undefined) throw new Error('a file of a live version is gone');
  yield bytes;
}

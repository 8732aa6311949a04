import { ProjectId } from '../../../contract/fields.ts';
import { newStoreId } from '../../../core/content/content-keys.ts';
import { prepareUpload } from '../../../core/content/prepare-upload.ts';
import { secretFinder } from '../../../core/content/secrets/find-secrets.ts';
import { storeVersion } from '../../../core/projects/publishing/store-version.ts';
import { manySmallFiles } from './many-small-files.ts';

const projectId = ProjectId.parse('0b7e4c1a-5f60-4c39-9d0e-2f1a6f0c9a11');
const limits = { maxParts: 1, maxBytes: 2e7, maxArchiveEntries: 2000, maxArchiveBytes: 8e7 };
const turns = { warmUp: 3, measured: 15 };

/** A store that keeps nothing and answers at once: in a cloud, the rest of a publish takes longer. */
const nowhere = {
  get: async () => undefined,
  put: async () => undefined,
  putLarge: async () => undefined,
  deletePrefix: async () => undefined,
};

/** Unpacks, searches, hashes, packs and stores a ZIP in this process: milliseconds in all, and of the search. */
async function publish(zip: Uint8Array): Promise<{ all: number; search: number }> {
  const find = secretFinder('sw');
  let search = 0;
  const findSecrets = (bytes: Uint8Array) => {
    const startedAt = performance.now();
    const found = find(bytes);
    search += performance.now() - startedAt;
    return found;
  };
  const startedAt = performance.now();
  const files = [{ name: 'site.zip', contentType: '', bytes: zip }];
  const upload = await prepareUpload({ files, zipIndexHtmlPath: 'index.html' }, limits);
  const target = { projectId, store: newStoreId() };
  await storeVersion({ ...nowhere, findSecrets }, target, upload);
  return { all: performance.now() - startedAt, search };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** Prints what the search for keys adds to a publish of 2,000 files. */
export async function measureSearch(): Promise<void> {
  const zip = manySmallFiles(2000);
  const measured = [];
  for (let turn = 0; turn < turns.warmUp + turns.measured; turn += 1) {
    const times = await publish(zip);
    if (turn >= turns.warmUp) measured.push(times);
  }
  const search = median(measured.map((times) => times.search));
  const rest = median(measured.map((times) => times.all - times.search));
  const percent = ((100 * search) / rest).toFixed(1);
  console.log(
    `search for keys in 2,000 files: ${search.toFixed(1)} ms; all else without a network: ${rest.toFixed(0)} ms; ${percent} % more`,
  );
}

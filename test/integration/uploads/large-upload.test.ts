import { noOtherSite } from '../../fixtures/uploads/no-other-site.ts';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { accountRepository } from '../../../adapters/dynamodb/accounts/account-repository.ts';
import { contentBucket } from '../../../adapters/s3/content-bucket.ts';
import { documentItems } from '../../../adapters/dynamodb/document-client.ts';
import { ownedProjectRepository } from '../../../adapters/dynamodb/projects/owned-project-repository.ts';
import { projectRepository } from '../../../adapters/dynamodb/projects/project-repository.ts';
import { siteDirectory } from '../../../adapters/dynamodb/projects/site-directory.ts';
import { uploadArea } from '../../../adapters/s3/upload-area.ts';
import { uploadRepository } from '../../../adapters/dynamodb/uploads/upload-repository.ts';
import { maxUploadParts } from '../../../contract/operations/uploads.ts';
import { defaultPlans } from '../../../contract/plans.ts';
import { packLength, type StoreKey } from '../../../core/content/content-keys.ts';
import type { ContentStore } from '../../../core/ports.ts';
import { addresses } from '../../../core/projects/addresses/addresses.ts';
import { createProject } from '../../../core/projects/publishing/create-project.ts';
import { readManifest } from '../../../core/projects/versions/kept-versions.ts';
import { tempLimits } from '../../../core/projects/publishing/upload-limits.ts';
import { beginUpload } from '../../../core/uploads/begin-upload.ts';
import { UploadId } from '../../../core/uploads/upload.ts';
import { maxInlineBytes } from '../../../core/visit/decide-visit.ts';
import { type FilePlace, filePlace, readFilePlace } from '../../../core/visit/file-place.ts';
import { fullPackBytes } from '../../../core/projects/publishing/pack-writer.ts';
import { lambdaEnvironment } from '../../../local/lambda/lambda-environment.ts';
import { bundleFunctions } from '../../../scripts/bundle.ts';
import { aCaller } from '../../fixtures/projects/a-project.ts';
import { piecesSource } from '../../fixtures/archives/byte-sources.ts';
import {
  deflatedEntry,
  type LargeEntry,
  largeZip,
  noise,
  storedEntry,
} from '../../fixtures/archives/large-zip.ts';
import { proofSize } from '../../fixtures/proof-size.ts';
import { localStores, tables } from '../../fixtures/clouds/local-stores.ts';
import { putTo } from '../../fixtures/projects/put.ts';

let stores: Awaited<ReturnType<typeof localStores>>;
const bundles = mkdtempSync(path.join(tmpdir(), 'slipway-worker-'));
beforeAll(async () => {
  stores = await localStores();
  const options = { viewerPaths: async () => ({}), sharesChunks: false };
  await bundleFunctions(bundles, ['upload-worker'], options);
}, 600_000);
afterAll(async () => {
  await stores.close();
  rmSync(bundles, { recursive: true });
});

const mebibyte = 1024 * 1024;
/** The worker's memory in lib/service-stack.ts. */
const memoryMb = 1769;
const timeoutSeconds = 900;

/** One file of the archive: `block` over and over. */
interface Planned {
  name: string;
  block: Uint8Array;
  bytes: number;
  method: 0 | 8;
}

const block = noise(mebibyte + 8192);
/** No two files have the same content. */
const from = (at: number, bytes = mebibyte) => block.subarray(at, at + bytes);

const home: Planned = {
  name: 'index.html',
  block: Buffer.from('<h1>Large</h1>'),
  bytes: 14,
  method: 8,
};

/**
 * 500 MB that do not compress (90 in a short proof): half are large files, half small ones, which are
 * collected in packs. At full size, neither the largest file nor half of the packs fits into the worker's
 * bound beside what it needs anyway.
 */
const planned: Planned[] = [
  home,
  {
    name: 'video.mp4',
    block: from(1),
    bytes: proofSize({ short: 20, whole: 200 }) * mebibyte,
    method: 0,
  },
  {
    name: 'data.bin',
    block: from(2),
    bytes: proofSize({ short: 18, whole: 12 }) * mebibyte,
    method: 8,
  },
  // Just small enough to be stored with one request.
  ...Array.from({ length: proofSize({ short: 2, whole: 4 }) }, (_, at) =>
    eitherMethod(at, { name: `films/${at}.mp4`, block: from(10 + at), bytes: 8 * mebibyte }),
  ),
  ...Array.from({ length: proofSize({ short: 200, whole: 1500 }) }, (_, at) => {
    const block = from(100 + at, 25_000);
    return eitherMethod(at, { name: `pages/${at}.css`, block, bytes: block.length });
  }),
  // Just small enough to be inflated in one call.
  ...Array.from({ length: proofSize({ short: 32, whole: 202 }) }, (_, at) => {
    const block = from(2000 + at, 1_047_576);
    return eitherMethod(at, { name: `photos/${at}.jpg`, block, bytes: block.length });
  }),
];

/** Stored and deflated files take turns. */
function eitherMethod(at: number, file: Omit<Planned, 'method'>): Planned {
  return { ...file, method: at % 2 === 0 ? 0 : 8 };
}

/** How many packs hold the small files: each is full with the file that reaches its size. */
function packCount(small: readonly Planned[]): number {
  let count = 0;
  let open = 0;
  for (const { bytes } of small) {
    if (open === 0) count += 1;
    open += bytes;
    if (open >= fullPackBytes) open = 0;
  }
  return count;
}

const entryOf = ({ name, block, bytes, method }: Planned): LargeEntry =>
  method === 0
    ? storedEntry(`site/${name}`, block, bytes)
    : deflatedEntry(`site/${name}`, block, bytes / block.length, name === home.name ? 6 : 0);

/** The account, and everything that its requests work with; `jobs` is what the queue was given. */
async function anOwner() {
  const caller = aCaller({ projectCount: 0, storageBytes: 0 });
  const accounts = accountRepository(stores.client, tables.accounts);
  await accounts.create(caller.account);
  const jobs: StoreKey[] = [];
  const deps = {
    accounts,
    projects: projectRepository(stores.client, tables),
    domains: { get: async () => undefined },
    owned: ownedProjectRepository(stores.client, tables),
    content: contentBucket(stores.bucket),
    uploads: uploadRepository(stores.client, tables),
    area: uploadArea(stores.bucket),
    counters: { count: async () => 1, reserve: unused, release: unused },
    jobs: { send: async (job: StoreKey) => void jobs.push(job) },
    addresses: addresses('http://localhost:8787', 'sites.localhost:8787'),
    plans: defaultPlans,
    tempLimits: tempLimits({ perMinute: 3, perHour: 5 }),
    maxParts: maxUploadParts,
    pictures: noOtherSite,
    brand: 'slipway',
    sendsMail: true,
    onFailure: (_: unknown, error: unknown) => {
      throw error;
    },
    now: () => new Date(),
  };
  return { caller, deps, jobs };
}

async function unused(): Promise<never> {
  throw new Error('not used here');
}

/** The deployed worker in a process of plain Node with what Lambda would give it; gives its peak memory. */
async function work(job: StoreKey): Promise<number> {
  const bundle = pathToFileURL(path.join(bundles, 'upload-worker', 'index.mjs')).href;
  const event = { Records: [{ body: JSON.stringify(job) }] };
  const peakMemory = new URL('../../fixtures/peak-memory.mjs', import.meta.url).href;
  const code = `
    import { peakMemory } from ${JSON.stringify(peakMemory)};
    const { handler } = await import(${JSON.stringify(bundle)});
    await handler(${JSON.stringify(event)}, { awsRequestId: 'one', functionName: 'upload-worker' });
    process.stderr.write(JSON.stringify({ peakBytes: peakMemory() }));`;
  // Lambda's flags for Node.js: nine tenths of the memory for old objects, a twentieth for new
  // ones.
  const flags = [
    '--expose-gc',
    `--max-old-space-size=${Math.floor(memoryMb * 0.9)}`,
    `--max-semi-space-size=${Math.floor(memoryMb * 0.05)}`,
  ];
  const variables = {
    ...stores.environment,
    // None is deployed here; messages to SQS are only sent.
    SITES_TENANT_ID: '',
    UPLOAD_QUEUE_URL: 'http://127.0.0.1:9/queue',
    BASE_URL: 'http://localhost:8787',
    SITES_DOMAIN: 'sites.localhost:8787',
    BRAND: 'slipway',
    PLANS: '{}',
    SENDS_MAIL: '',
    DELETED_KEPT_DAYS: '30',
    KEY_PREFIX: 'sw',
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
  };
  const identity = {
    name: 'upload-worker',
    codeDir: path.join(bundles, 'upload-worker'),
    handler: 'index.handler',
    memoryMb,
    environment: variables,
  };
  const { stderr } = await promisify(execFile)(
    process.execPath,
    [...flags, '--input-type=module', '--eval', code],
    { env: lambdaEnvironment(identity, 'stream'), timeout: timeoutSeconds * 1000 },
  );
  return JSON.parse(stderr).peakBytes;
}

/** The content's bucket; it reads a pack once, for all of the files in it that are read one after another. */
function readsPacksOnce(content: ContentStore): Pick<ContentStore, 'get'> {
  let pack: { key: string; bytes: Uint8Array } = { key: '', bytes: new Uint8Array() };
  return {
    async get(key, range) {
      if (packLength(key) === undefined) return content.get(key, range);
      if (pack.key !== key) pack = { key, bytes: (await content.get(key)) ?? new Uint8Array() };
      return range === undefined ? pack.bytes : pack.bytes.subarray(range.first, range.last + 1);
    },
  };
}

/** Whether a stored file is the planned one, byte for byte; it is read in ranges of whole blocks. */
async function isWhole(
  content: Pick<ContentStore, 'get'>,
  place: FilePlace,
  { block, bytes }: Planned,
): Promise<boolean> {
  const rangeBytes = 16 * block.length;
  for (let first = 0; first < bytes; first += rangeBytes) {
    const last = Math.min(bytes, first + rangeBytes) - 1;
    const stored = (await readFilePlace(content, place, { first, last })) ?? new Uint8Array();
    if (stored.length !== last + 1 - first) return false;
    for (let at = 0; at < stored.length; at += block.length) {
      const piece = stored.subarray(at, at + block.length);
      if (Buffer.compare(piece, block.subarray(0, piece.length)) !== 0) return false;
    }
  }
  return true;
}

test('a large ZIP publishes in a worker that needs less than 300 MB of memory, and every file is whole', async () => {
  const source = piecesSource(largeZip(planned.map(entryOf)));
  expect(source.size).toBeGreaterThan(proofSize({ short: 90_000_000, whole: 500_000_000 }));
  const { caller, deps, jobs } = await anOwner();
  const begun = await beginUpload(deps, caller, { archive: { size: source.size } });
  const url = begun.parts[0]?.url ?? '';
  expect(await putTo(url, source.stream(0, source.size - 1), source.size)).toBe(200);

  const { uploadId } = begun;
  const project = await createProject(deps, caller, {
    title: 'Large',
    access: 'public',
    files: [],
    uploadId,
  });
  expect(jobs).toHaveLength(1);
  const startedAt = Date.now();
  const peakBytes = await work(jobs[0] as StoreKey);
  const seconds = (Date.now() - startedAt) / 1000;
  console.log(
    `Peak memory ${Math.round(peakBytes / 1e6)} MB, ${seconds.toFixed(1)} s for a ZIP of ${source.size} bytes.`,
  );

  expect((await deps.uploads.get(UploadId.parse(uploadId)))?.state).toBe('published');
  const site = await siteDirectory(documentItems(stores.client), tables.sites).get(
    new URL(project.url).hostname,
  );
  if (site === undefined) throw new Error('nothing is served');
  const manifest = await readManifest(deps.content, site.projectId, site);
  expect(manifest?.size).toBe(planned.length);
  const content = readsPacksOnce(deps.content);
  for (const file of planned) {
    const entry = manifest?.get(file.name);
    if (entry === undefined) throw new Error(`${file.name} is missing`);
    const place = filePlace(site, file.name, entry);
    const stored = { size: entry.size, isWhole: await isWhole(content, place, file) };
    expect({ name: file.name, ...stored }).toEqual({
      name: file.name,
      size: file.bytes,
      isWhole: true,
    });
  }
  // Large files, packs of the others and the manifest remain; the staged upload is removed.
  const small = planned.filter(({ bytes }) => bytes <= maxInlineBytes);
  expect(small.length).toBeLessThan(planned.length);
  const stored = planned.length - small.length + packCount(small) + 1;
  expect((await stores.objects()).size).toBe(stored);
  expect(peakBytes).toBeLessThan(300_000_000);
}, 600_000);

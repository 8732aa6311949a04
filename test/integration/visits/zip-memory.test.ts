import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { contentBucket } from '../../../adapters/s3/content-bucket.ts';
import { aSecretServer, secretArn } from '../../fixtures/clouds/secrets.ts';
import { contentHash, contentKey, uploadLocation } from '../../../core/content/content-keys.ts';
import { type ZipEntry, zipStream } from '../../../core/content/zip/write-archive.ts';
import { encodeManifest } from '../../../core/visit/manifest.ts';
import { lambdaEnvironment } from '../../../local/lambda/lambda-environment.ts';
import { bundleFunctions } from '../../../scripts/bundle.ts';
import { aSite } from '../../fixtures/visits/a-site.ts';
import { noise } from '../../fixtures/archives/large-zip.ts';
import { localStores, tables } from '../../fixtures/clouds/local-stores.ts';

let stores: Awaited<ReturnType<typeof localStores>>;
let secrets: Awaited<ReturnType<typeof aSecretServer>>;
const bundles = mkdtempSync(path.join(tmpdir(), 'slipway-zip-'));
beforeAll(async () => {
  stores = await localStores();
  secrets = await aSecretServer({ 'access-current': 'a secret that signs access' });
  const options = { viewerPaths: async () => ({}), sharesChunks: false };
  await bundleFunctions(bundles, ['streams'], options);
}, 600_000);
afterAll(async () => {
  await stores.close();
  secrets.close();
  rmSync(bundles, { recursive: true });
});

const megabyte = 1_000_000;
/** The function's memory in lib/service-stack.ts. */
const memoryMb = 1024;
const block = noise(20 * megabyte + 2000);

/** Large files, and many small ones. */
const files = new Map<string, Uint8Array>([
  ...['a.mov', 'b.mov', 'z.mov'].map((name, at) => [name, part(at, 20 * megabyte)] as const),
  ...Array.from({ length: 1000 }, (_, at) => [`small/${at}.jpg`, part(at, 5000)] as const),
]);

function part(at: number, bytes: number): Uint8Array {
  return block.subarray(at, at + bytes);
}

/** Puts a bundle where the function finds it. */
async function store() {
  const entries = [...files].map(
    ([name, bytes]) => [name, { size: bytes.length, hash: contentHash(bytes) }] as const,
  );
  const site = aSite({
    type: 'files',
    home: null,
    ownerId: null,
    manifest: encodeManifest(new Map(entries)),
  });
  const content = contentBucket(stores.bucket);
  for (const [name, bytes] of files) {
    const key = contentKey(site.projectId, uploadLocation(site.store, name));
    await content.put({ key, bytes, contentType: 'image/jpeg', cacheTag: 'p' });
  }
  await stores.client.send(new PutCommand({ TableName: tables.sites, Item: site }));
  return site;
}

async function expectedHash(at: Date): Promise<string> {
  const entries = [...files.keys()].toSorted().map((name): ZipEntry => {
    const bytes = files.get(name) ?? new Uint8Array();
    return {
      path: name,
      size: bytes.length,
      content: (async function* () {
        yield bytes;
      })(),
    };
  });
  const hash = createHash('sha256');
  for await (const chunk of zipStream(entries, at)) hash.update(chunk);
  return hash.digest('hex');
}

/** The deployed function in a process of plain Node with what Lambda would give it, read at 20 MB/s. */
async function download(host: string): Promise<{ hash: string; bytes: number; peak: number }> {
  const url = (file: string) => JSON.stringify(pathToFileURL(file).href);
  const own = (file: string) => JSON.stringify(new URL(`../../../${file}`, import.meta.url).href);
  const event = {
    headers: { 'x-slipway-host': host, 'x-slipway-path': '/_slipway/zip' },
    rawPath: '/',
    requestContext: { requestId: 'r1', http: { method: 'GET' } },
  };
  const code = `
    import { createHash } from 'node:crypto';
    import { peakMemory } from ${own('test/fixtures/peak-memory.mjs')};
    const { awslambda, ResponseStream } = await import(${own('local/lambda/response-stream.mjs')});
    globalThis.awslambda = awslambda;
    const { handler } = await import(${url(path.join(bundles, 'streams', 'index.mjs'))});
    const hash = createHash('sha256');
    let [bytes, inHead] = [0, true];
    const out = new ResponseStream(({ bytes: slice }) => {
      if (inHead) inHead = slice.some((byte) => byte !== 0);
      else { hash.update(slice); bytes += slice.length; }
      setTimeout(() => out.onRead(slice.length), slice.length / 20_000);
    });
    await handler(${JSON.stringify(event)}, out, { getRemainingTimeInMillis: () => 300_000 });
    const downloaded = JSON.stringify({ hash: hash.digest('hex'), bytes, peak: peakMemory() });
    process.stderr.write('\\n' + downloaded + '\\n');`;
  const identity = {
    name: 'streams',
    codeDir: path.join(bundles, 'streams'),
    handler: 'index.handler',
    memoryMb,
    environment: {
      ...stores.environment,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.environment.AWS_ENDPOINT_URL_SECRETS_MANAGER,
      ACCESS_SECRET_ARN: `${secretArn}#access`,
      BASE_URL: 'https://app.example.com',
      SITES_DOMAIN: 'sites.example.net',
      BRAND: 'Slipway',
      // Nobody listens there: a log says that the bytes were not counted.
      HITS_QUEUE_URL: 'http://127.0.0.1:9/hits',
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
    },
  };
  const { stderr } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', code],
    { env: lambdaEnvironment(identity, 'stream'), timeout: 120_000 },
  );
  return JSON.parse(/^\{"hash".*$/m.exec(stderr)?.[0] ?? stderr);
}

test('a ZIP of 65 MB needs less than three quarters of its function’s memory', async () => {
  const site = await store();
  const { hash, bytes, peak } = await download(site.host);
  console.log(`Peak memory ${Math.round(peak / 1e6)} MB for a ZIP of ${bytes} bytes.`);
  expect(bytes).toBeGreaterThan(65 * megabyte);
  expect(hash).toBe(await expectedHash(new Date(site.publishedAt)));
  expect(peak).toBeLessThan(memoryMb * 0.75 * 1024 * 1024);
}, 600_000);

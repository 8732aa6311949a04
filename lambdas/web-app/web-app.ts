import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import {
  type WebAppBucket,
  webAppBucket,
  type WebAppFile,
} from '../../adapters/s3/web-app-bucket.ts';
import { Instant } from '../../contract/fields.ts';
import { planDeployment } from '../../core/web-app/plan-deployment.ts';
import { serveCustomResource } from '../shared/custom-resource.ts';
import { setting } from '../shared/settings.ts';
import { mediaType } from '../../core/content/media-type.ts';

/** Outside of `prefix`, so that it is never served. */
const recordKey = 'retired.json';
const Retired = z.record(z.string(), Instant);

/** Objects that are written in parallel. */
const maxWrites = 8;

/**
 * `Custom::WebApp`: copies the web app, which is beside this bundle, into its bucket. Files of earlier
 * builds stay for a week. Deleting the resource empties the bucket, because CloudFormation deletes only
 * empty ones.
 */
export async function handler(event: unknown): Promise<void> {
  await serveCustomResource(event, {
    physicalId: 'web-app',
    properties: z.object({ Config: z.string() }),
    failureReason: () => 'See the log of the web-app function.',
    async run({ RequestType }, { Config }) {
      const bucket = webAppBucket(setting('WEB_APP_BUCKET'));
      if (RequestType === 'Delete') await bucket.remove(await bucket.list(''));
      else await deploy(bucket, Config, new Date());
      return {};
    },
  });
}

/** Writes the page last, so that everything it loads exists before. */
async function deploy(bucket: WebAppBucket, config: string, now: Date): Promise<void> {
  const folder = fileURLToPath(new URL('./files', import.meta.url));
  const { assets, pages } = filesToDeploy(await filesIn(folder), config);
  await putAll(bucket, assets);
  await putAll(bucket, pages);
  const record = await bucket.read(recordKey);
  const { remove, retired } = planDeployment({
    build: [...assets, ...pages].map(({ key }) => key),
    stored: await bucket.list(prefix),
    retired: record === undefined ? {} : Retired.parse(JSON.parse(record)),
    now,
  });
  await bucket.remove(remove);
  await bucket.put({
    key: recordKey,
    bytes: Buffer.from(JSON.stringify(retired)),
    contentType: 'application/json',
    cacheControl: 'no-store',
  });
}

async function putAll(bucket: WebAppBucket, files: readonly WebAppFile[]): Promise<void> {
  const waiting = files.values();
  const work = async () => {
    for (const file of waiting) await bucket.put(file);
  };
  await Promise.all(Array.from({ length: maxWrites }, work));
}

async function filesIn(folder: string): Promise<Map<string, Uint8Array>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const read = files.map(async ({ parentPath, name }): Promise<[string, Uint8Array]> => {
    const file = path.join(parentPath, name);
    return [path.relative(folder, file), await readFile(file)];
  });
  return new Map(await Promise.all(read));
}

/** Keys of files that are served: their path on the app's host, without the first slash. */
const prefix = 'dashboard/';

/** Names in this folder contain a hash of the content. */
const assetsFolder = 'assets/';

const forever = 'public, max-age=31536000, immutable';
/** Caches revalidate these files each time, so that the next visit sees a new deployment. */
const revalidated = 'public, max-age=0, must-revalidate';

/**
 * The files of a build as objects. `<file>.br` has the content of `<file>`, compressed; the edge
 * requests it for browsers that accept brotli (`app-viewer-request.js`). `config` becomes
 * `config.json`, with the values of this installation.
 */
export function filesToDeploy(
  build: ReadonlyMap<string, Uint8Array>,
  config: string,
): { assets: WebAppFile[]; pages: WebAppFile[] } {
  const settings = ['config.json', Buffer.from(config)] as const;
  const files = [...build, settings].map(([name, bytes]) => fileOf(name, bytes));
  const isAsset = ({ key }: WebAppFile) => key.startsWith(prefix + assetsFolder);
  return { assets: files.filter(isAsset), pages: files.filter((file) => !isAsset(file)) };
}

function fileOf(name: string, bytes: Uint8Array): WebAppFile {
  const isCompressed = name.endsWith('.br');
  return {
    key: prefix + name,
    bytes,
    contentType: mediaType(isCompressed ? name.slice(0, -'.br'.length) : name),
    contentEncoding: isCompressed ? 'br' : undefined,
    cacheControl: name.startsWith(assetsFolder) ? forever : revalidated,
  };
}

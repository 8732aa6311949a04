import type { WebAppFile } from '../../adapters/s3/web-app-bucket.ts';
import { mediaType } from '../../core/content/media-type.ts';

/** Keys of files that are served: their path on the app's host, without the first slash. */
export const prefix = 'dashboard/';

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

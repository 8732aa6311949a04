import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { interfaceVersion } from '../../contract/openapi/openapi-document.ts';
import type { Binding } from '../http/bind.ts';
import { lazy } from '../shared/lazy.ts';
import { setting } from '../shared/settings.ts';
import { type PackedFile, tarArchive } from './tar-archive.ts';

/**
 * `/cli.tgz`: the command line as an npm package, made for this installation. Its `homepage` is the address that the
 * command calls, so it needs no settings. Its version names its code, and is the ETag.
 */
export const commandPackageBinding: Binding = {
  method: 'GET',
  route: '/cli.tgz',
  async serve({ caller }) {
    const { version, bytes } = await packed();
    return {
      statusCode: 200,
      headers: {
        'content-type': 'application/gzip',
        'cache-control': 'no-cache',
        etag: `"${version}"`,
        'x-request-id': caller.requestId,
      },
      body: bytes.toString('base64'),
      isBase64Encoded: true,
    };
  },
};

/** The code is read when somebody fetches the package, not at a cold start. */
const packed = lazy(async () => {
  const { code, build } = await import('virtual:command');
  const manifest = packageManifest(setting('BASE_URL'), build);
  const files: PackedFile[] = [
    { path: 'package/package.json', content: JSON.stringify(manifest, undefined, 2) },
    { path: 'package/main.mjs', content: code },
  ];
  const bytes = await promisify(gzip)(tarArchive(files), { level: 9 });
  return { version: manifest.version, bytes };
});

function packageManifest(baseUrl: string, build: string) {
  return {
    name: 'slipway',
    // A part that is all digits may not begin with a zero (semver.org, item 9).
    version: `${interfaceVersion}-b${build}`,
    description: `Publishes files and websites at ${baseUrl}.`,
    homepage: baseUrl,
    license: 'Apache-2.0',
    type: 'module',
    bin: { slipway: 'main.mjs' },
    engines: { node: '>=20.19' },
  };
}

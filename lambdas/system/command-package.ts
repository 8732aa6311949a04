import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { interfaceVersion } from '../../contract/openapi/openapi-document.ts';
import type { Binding } from '../http/bind.ts';
import { lazy } from '../shared/lazy.ts';
import { setting } from '../shared/settings.ts';
import { fileResponse } from '../http/api-response.ts';

/**
 * `/cli.tgz`: the command line as an npm package, made for this installation. Its `homepage` is the address that the
 * command calls, so it needs no settings. Its version names its code, and is the ETag.
 */
export const commandPackageBinding: Binding = {
  method: 'GET',
  route: '/cli.tgz',
  async serve({ caller }) {
    const { version, bytes } = await packed();
    const headers = { 'cache-control': 'no-cache', etag: `"${version}"` };
    const file = { mediaType: 'application/gzip', content: bytes, headers };
    return fileResponse(200, file, caller.requestId);
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

interface PackedFile {
  /** ASCII, at most 100 bytes (POSIX.1-1988, ustar). */
  path: string;
  content: string;
}

const block = 512;

/** A tar archive (ustar) of these files. The same files make the same bytes: all have one date, and one owner. */
function tarArchive(files: readonly PackedFile[]): Buffer {
  const parts = files.flatMap(({ path, content }) => {
    const bytes = Buffer.from(content);
    const rest = (block - (bytes.length % block)) % block;
    return [tarHeader(path, bytes.length), bytes, Buffer.alloc(rest)];
  });
  return Buffer.concat([...parts, Buffer.alloc(2 * block)]);
}

/** 26 October 1985, the date that `npm pack` gives to all files. */
const modifiedAt = 499_162_500;

function tarHeader(path: string, size: number): Buffer {
  const header = Buffer.alloc(block);
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0');
  const fields: readonly [at: number, text: string][] = [
    [0, path],
    [100, octal(0o755, 7)],
    [108, octal(0, 7)],
    [116, octal(0, 7)],
    [124, octal(size, 11)],
    [136, octal(modifiedAt, 11)],
    // The checksum counts its own field as spaces.
    [148, ' '.repeat(8)],
    [156, '0'],
    [257, 'ustar\u000000'],
  ];
  for (const [at, text] of fields) header.write(text, at, 'latin1');
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 6)}\u0000 `, 148, 'latin1');
  return header;
}

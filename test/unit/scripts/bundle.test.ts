import { expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { refusePackagesOutside } from '../../../scripts/bundle.ts';

/** What esbuild tells of a bundle with these contents, and these packages outside of it. */
async function metadataOf(contents: string, external: string[]) {
  const stdin = { contents, resolveDir: import.meta.dirname };
  const options = { bundle: true, write: false, metafile: true, platform: 'node' } as const;
  const { metafile } = await build({ ...options, stdin, external, format: 'esm', outdir: 'made' });
  return metafile;
}

test.each(["import 'jszip';", "void import('jszip');", "require('jszip');"])(
  'refuses a bundle that looks for a package where functions run: %s',
  async (contents) => {
    const metadata = await metadataOf(contents, ['jszip']);
    expect(() => refusePackagesOutside(metadata)).toThrow(/stdin\.js imports jszip\.$/);
  },
);

test('accepts modules of Node, and packages in the bundle', async () => {
  const contents = "import { join } from 'node:path'; import Zip from 'jszip'; join(Zip.version);";
  const metadata = await metadataOf(contents, []);
  const [made] = Object.values(metadata.outputs);
  expect(made?.imports.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['node:path', 'stream']),
  );
  expect(() => refusePackagesOutside(metadata)).not.toThrow();
});

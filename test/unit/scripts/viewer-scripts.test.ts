import { readdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { build } from 'esbuild';

const folder = 'web/viewers';
const names = readdirSync(folder).filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'));

test('no viewer has more than 60 kB of its own, compressed, beside the library of its format', async () => {
  const { outputFiles } = await build({
    entryPoints: names.map((name) => `${folder}/${name}`),
    packages: 'external',
    bundle: true,
    minify: true,
    format: 'esm',
    outdir: 'unwritten',
    write: false,
  });
  expect(outputFiles).toHaveLength(names.length);
  const sizes = outputFiles.map(({ contents }) => gzipSync(contents).length);
  expect(Math.max(...sizes)).toBeLessThan(60_000);
});

test('what reads a format is loaded by its own pages alone', async () => {
  const { metafile } = await build({
    entryPoints: names.map((name) => `${folder}/${name}`),
    packages: 'external',
    bundle: true,
    format: 'esm',
    outdir: 'unwritten',
    write: false,
    metafile: true,
  });
  const packagesOf = (script: string) =>
    (metafile.outputs[`unwritten/${script}.js`]?.imports ?? [])
      .filter(({ external, kind }) => external === true && kind === 'import-statement')
      .map(({ path }) => path)
      .toSorted();
  expect(packagesOf('table')).toEqual([]);
  expect(packagesOf('table-worker')).toEqual([]);
  expect(packagesOf('image')).toEqual([]);
  expect(packagesOf('sheet-worker')).toEqual(['@e965/xlsx']);
  expect(packagesOf('picture-worker')).toEqual(['@jsquash/jxl/decode.js', 'utif2']);
  expect(packagesOf('model')).not.toContain('three/addons/loaders/DRACOLoader.js');
  expect(packagesOf('model')).not.toContain('three/addons/loaders/KTX2Loader.js');
});

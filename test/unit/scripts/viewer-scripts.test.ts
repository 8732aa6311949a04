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
  const packagesOf = (script: string, kind: string) => {
    const { imports = [] } = metafile.outputs[`unwritten/${script}.js`] ?? {};
    const found = imports.filter((one) => one.external === true && one.kind === kind);
    return [...new Set(found.map(({ path }) => path))].toSorted();
  };
  const scripts = names.map((name) => name.slice(0, -'.ts'.length));
  const first = scripts.map((name) => [name, packagesOf(name, 'import-statement')] as const);
  expect(Object.fromEntries(first.filter(([, packages]) => packages.length > 0))).toEqual({
    'archive-worker': ['fzstd'],
    'arrow-worker': ['@uwdata/flechette', 'fzstd'],
    'database-worker': ['sql.js'],
    document: ['docx-preview'],
    'heic-worker': ['libheif-js/libheif-wasm/libheif.js'],
    'jpx-worker': ['pdfjs-dist/legacy/image_decoders/pdf.image_decoders.mjs'],
    model: [
      'three',
      'three/addons/controls/OrbitControls.js',
      'three/addons/environments/RoomEnvironment.js',
      'three/addons/loaders/GLTFLoader.js',
      'three/addons/loaders/OBJLoader.js',
      'three/addons/loaders/PLYLoader.js',
      'three/addons/loaders/STLLoader.js',
    ],
    'page-worker': ['parse5'],
    pdf: ['pdfjs-dist/legacy/build/pdf.mjs', 'pdfjs-dist/legacy/web/pdf_viewer.mjs'],
    'pdf-worker': ['pdfjs-dist/legacy/build/pdf.worker.mjs'],
    'parquet-worker': ['hyparquet', 'hyparquet-compressors'],
    'picture-worker': ['@jsquash/jxl/decode.js', 'utif2'],
    presentation: ['@aiden0z/pptx-renderer'],
    'radiance-worker': [
      'three',
      'three/addons/loaders/EXRLoader.js',
      'three/addons/loaders/HDRLoader.js',
    ],
    'sheet-worker': ['@e965/xlsx'],
  });
  const later = scripts.filter((name) => packagesOf(name, 'dynamic-import').length > 0);
  expect(later).toEqual(['model']);
});

test('the first view of a page loads what all viewers share as one file, and no table of encodings or symbols', async () => {
  const pages = names.filter((name) => !name.endsWith('-worker.ts'));
  const { metafile } = await build({
    entryPoints: pages.map((name) => `${folder}/${name}`),
    packages: 'external',
    bundle: true,
    splitting: true,
    format: 'esm',
    outdir: 'unwritten',
    write: false,
    metafile: true,
  });
  const sourcesOf = (file: string): string[] => {
    const { inputs = {}, imports = [] } = metafile.outputs[file] ?? {};
    const first = imports.filter(({ kind }) => kind === 'import-statement');
    return [...Object.keys(inputs), ...first.flatMap(({ path }) => sourcesOf(path))];
  };
  const shared = Object.values(metafile.outputs).map(({ inputs }) => Object.keys(inputs));
  expect(shared).toContainEqual([
    `${folder}/parts/fetch-file.ts`,
    `${folder}/parts/viewer-root.ts`,
  ]);
  const withEncodings = pages.filter((name) =>
    sourcesOf(`unwritten/${name.replace(/ts$/, 'js')}`).includes('core/content/code-pages.ts'),
  );
  expect(withEncodings).toEqual(['text-encoding.ts']);
  const withSymbols = pages.filter((name) =>
    sourcesOf(`unwritten/${name.replace(/ts$/, 'js')}`).includes(`${folder}/parts/symbol-fonts.ts`),
  );
  expect(withSymbols).toEqual([]);
});

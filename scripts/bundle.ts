import { createHash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type BuildOptions, type Metafile, type Plugin } from 'esbuild';
import {
  type FunctionName,
  functionNames,
  functionSource,
} from '../lib/functions/function-names.ts';
import { bundleViewers } from './bundle-viewers.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** CommonJS packages call `require` for Node's own modules, which an ES module does not have. */
const requireShim =
  "import { createRequire as slipwayCreateRequire } from 'node:module'; const require = slipwayCreateRequire(import.meta.url);";

/** How every function is bundled. */
export const bundleOptions = {
  absWorkingDir: root,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  format: 'esm',
  platform: 'node',
  // The oldest Node that runs a bundle: the local cloud's. Deployed functions run on Node 24.
  target: 'node20',
  mainFields: ['module', 'main'],
  minifySyntax: true,
  minifyWhitespace: true,
  keepNames: true,
  sourcemap: 'linked',
  sourcesContent: false,
  banner: { js: requireShim },
  metafile: true,
  logLevel: 'warning',
} as const satisfies BuildOptions;

/** How a function is bundled whose parts are read late where they are imported late. */
export const splitOptions = { splitting: true, minifyIdentifiers: true } as const;

/** Functions that need a part of what they hold for some requests only. */
const splitFunctions: readonly FunctionName[] = [
  'gate',
  'maintenance',
  'mcp',
  'projects',
  'temp-projects',
  'upload-links',
  'upload-worker',
  'versions',
];

/**
 * Leaves out what the MCP packages would check clients' answers with: they are asked for none, and
 * it is half of what a cold start would read of them (lambdas/mcp/legacy-era.ts, modern-era.ts).
 */
const withoutValidators: Plugin = {
  name: 'without-validators',
  setup(bundle) {
    const filter = /\/validation\/ajv-provider\.js$|^@modelcontextprotocol\/server\/_shims$/;
    bundle.onResolve({ filter }, ({ path: file }) => ({ path: file, namespace: 'left-out' }));
    bundle.onLoad({ filter, namespace: 'left-out' }, () => ({
      contents:
        'export class AjvJsonSchemaValidator {} export class DefaultJsonSchemaValidator {} export { default as process } from "node:process";',
    }));
  },
};

type Options = BuildOptions & typeof bundleOptions;

/**
 * Bundles every function to `<outDir>/<name>/index.mjs`, with its source map beside it.
 *
 * The AWS SDK is bundled too: what runs is what was tested, not what the runtime ships that week.
 * What viewer pages load lies beside the bundle that serves it, and its names are in every bundle.
 * `<outDir>/meta.json` says what each bundle is made of.
 */
export async function bundleFunctions(outDir: string): Promise<void> {
  const viewers = await bundleViewers(path.join(outDir, 'viewer-assets', 'assets'));
  const named = { ...bundleOptions, define: { VIEWER_ASSETS: JSON.stringify(viewers) } };
  const define = { ...named.define, PAGES_BUILD: JSON.stringify(await buildOf('gate', named)) };
  const options = { ...named, define };
  const others = functionNames.filter((name) => !splitFunctions.includes(name));
  const metafiles = await Promise.all([
    bundleEach(options, outDir, others),
    ...splitFunctions.map((name) => bundleSplit(options, outDir, name)),
  ]);
  const meta = {
    inputs: Object.assign({}, ...metafiles.map(({ inputs }) => inputs)),
    outputs: Object.assign({}, ...metafiles.map(({ outputs }) => outputs)),
  };
  await writeFile(path.join(outDir, 'meta.json'), JSON.stringify(meta));
}

/** Tells a build of a function from every other one: a hash of all that it is made of. */
async function buildOf(name: FunctionName, options: Options): Promise<string> {
  const { outputFiles } = await build({
    ...options,
    entryPoints: [functionSource(name)],
    outfile: `${name}.mjs`,
    sourcemap: false,
    write: false,
  });
  const hash = createHash('sha256');
  for (const { contents } of outputFiles) hash.update(contents);
  return hash.digest('hex').slice(0, 16);
}

async function bundleEach(
  options: Options,
  outDir: string,
  names: FunctionName[],
): Promise<Metafile> {
  const { metafile } = await build({
    ...options,
    entryPoints: names.map((name) => ({ in: functionSource(name), out: `${name}/index` })),
    outdir: path.resolve(outDir),
  });
  return metafile;
}

/** Bundles one function so that what it imports late is read late, from chunks beside its entry. */
async function bundleSplit(
  options: Options,
  outDir: string,
  name: FunctionName,
): Promise<Metafile> {
  // Chunks are named after their content: those of an earlier build would stay and be deployed.
  await rm(path.join(outDir, name), { recursive: true, force: true });
  const { metafile } = await build({
    ...options,
    entryPoints: [{ in: functionSource(name), out: 'index' }],
    outdir: path.resolve(outDir, name),
    ...splitOptions,
    plugins: [withoutValidators],
  });
  return metafile;
}

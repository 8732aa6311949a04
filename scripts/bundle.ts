import { createHash } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type BuildOptions, type Metafile, type Plugin, stop } from 'esbuild';
import { type FunctionName, functionSource } from '../lib/functions/function-names.ts';
import { commandModule } from './bundle-command.ts';
import { plainHttp } from './plain-http.ts';
import { separateFunctions } from './shared-chunks.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

// esbuild is a Go program. Collecting garbage less often saves a quarter of its CPU time.
process.env['GOGC'] ??= '400';

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
  // Pages of the documentation.
  loader: { '.md': 'text' },
  minifySyntax: true,
  minifyWhitespace: true,
  // Names of functions would be set while the code runs: a seventh of a cold start. Logs name lines by source maps.
  keepNames: false,
  sourcemap: 'linked',
  sourcesContent: false,
  banner: { js: requireShim },
  metafile: true,
  logLevel: 'warning',
  plugins: [plainHttp, commandModule],
} satisfies BuildOptions;

/** Extra options for functions whose late imports become chunks of their own. */
export const splitOptions = { splitting: true, minifyIdentifiers: true } as const;

/** Functions that need some of their code for few requests only, besides the gate. */
const splitFunctions: readonly FunctionName[] = [
  'domains',
  'maintenance',
  'mcp',
  'projects',
  'system',
  'temp-projects',
  'upload-links',
  'upload-worker',
  'versions',
];

/**
 * Removes the JSON Schema validators of the MCP packages. They validate responses of clients, which
 * are never requested here, and they are half of what a cold start would read of the packages (lambdas/mcp/legacy-protocol.ts, modern-protocol.ts).
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

/** Ends the process of esbuild, which keeps hundreds of megabytes. Another build starts it again. */
export async function stopBundling(): Promise<void> {
  await stop();
}

/** Called with the functions that are bundled now. */
export type OnBundled = (names: readonly FunctionName[]) => void;

/** Builds at once. One build already uses two cores; more would only need more memory. */
const maxBuilds = 3;

export interface BundleOptions {
  viewerPaths: () => Promise<Record<string, string>>;
  /**
   * Whether all functions but the gate share one build, which parses their packages once and writes what they
   * have in common once. It takes half of the processor time, but then chunks contain some code that only others
   * need: for the local cloud.
   */
  sharesChunks: boolean;
  onBundled?: OnBundled;
}

/**
 * Bundles functions to `<outDir>/<name>/index.mjs`, with their source maps beside them, some at once. Only the gate
 * waits for the viewers' paths. The AWS SDK is bundled too: what runs is what was tested, not what the runtime ships
 * that week.
 */
export async function bundleFunctions(
  outDir: string,
  names: readonly FunctionName[],
  options: BundleOptions,
): Promise<Metafile[]> {
  const waiting = buildsOf(outDir, names, options).values();
  const metafiles: Metafile[] = [];
  const work = async () => {
    for (const [bundled, bundle] of waiting) {
      const metafile = await bundle();
      refusePackagesOutside(metafile);
      metafiles.push(metafile);
      options.onBundled?.(bundled);
    }
  };
  await Promise.all(Array.from({ length: maxBuilds }, work));
  return metafiles;
}

/** Refuses a bundle that imports a package: where functions run, none is installed. */
export function refusePackagesOutside({ outputs }: Pick<Metafile, 'outputs'>): void {
  const outside = Object.entries(outputs).flatMap(([file, { imports }]) =>
    imports
      .filter(({ path: name, external }) => external === true && !isBuiltin(name))
      .map(({ path: name }) => `${file} imports ${name}`),
  );
  if (outside.length > 0)
    throw new Error(`Bundle these packages, for functions have no others: ${outside.join('; ')}.`);
}

type OneBuild = [names: readonly FunctionName[], bundle: () => Promise<Metafile>];

/** The gate is last: by then the viewers' paths are known. */
function buildsOf(
  outDir: string,
  names: readonly FunctionName[],
  { viewerPaths, sharesChunks }: BundleOptions,
): OneBuild[] {
  const others = names.filter((name) => name !== 'gate');
  const split = others.filter((name) => splitFunctions.includes(name));
  const whole = others.filter((name) => !split.includes(name));
  const builds: OneBuild[] = sharesChunks
    ? [[others, async () => bundleTogether(outDir, others)]]
    : [
        [whole, async () => bundleEach(outDir, whole)],
        ...split.map((name): OneBuild => [[name], async () => bundleSplit(outDir, name)]),
      ];
  builds.push([
    names.filter((name) => name === 'gate'),
    async () => bundleGate(outDir, await viewerPaths()),
  ]);
  return builds.filter(([bundled]) => bundled.length > 0);
}

async function bundleEach(outDir: string, names: readonly FunctionName[]): Promise<Metafile> {
  const { metafile } = await build({
    ...bundleOptions,
    entryPoints: names.map((name) => ({ in: functionSource(name), out: `${name}/index` })),
    outdir: path.resolve(outDir),
  });
  return metafile;
}

/** Bundles one function so that late imports are read late, from chunks beside its entry. */
async function bundleSplit(outDir: string, name: FunctionName): Promise<Metafile> {
  const { metafile } = await build(await optionsOfSplit(outDir, name));
  return metafile;
}

async function optionsOfSplit(outDir: string, name: FunctionName) {
  const outdir = path.resolve(outDir, name);
  // Chunk names contain a hash, so chunks of an earlier build would stay and be deployed.
  await rm(outdir, { recursive: true, force: true });
  return {
    ...bundleOptions,
    entryPoints: [{ in: functionSource(name), out: 'index' }],
    outdir,
    ...splitOptions,
    plugins: [...bundleOptions.plugins, withoutValidators],
  };
}

/** Stands for a hash of the same length. */
const unknownBuild = 'hash-of-its-code';

/** Bundles the gate with the names that it needs: the viewers' paths, and a hash of everything in its bundle. */
async function bundleGate(outDir: string, viewerPaths: Record<string, string>): Promise<Metafile> {
  const define = {
    VIEWER_ASSETS: JSON.stringify(viewerPaths),
    PAGES_BUILD: JSON.stringify(unknownBuild),
  };
  const options = await optionsOfSplit(outDir, 'gate');
  const { metafile, outputFiles } = await build({
    ...options,
    define,
    write: false,
  });
  const code = outputFiles.filter(({ path: file }) => file.endsWith('.mjs'));
  const hash = createHash('sha256');
  for (const { contents } of code.toSorted(byPath)) hash.update(contents);
  const known = hash.digest('hex').slice(0, unknownBuild.length);
  await mkdir(options.outdir, { recursive: true });
  await Promise.all(
    outputFiles.map(async ({ path: file, text }) =>
      writeFile(file, text.replaceAll(unknownBuild, known)),
    ),
  );
  return metafile;
}

function byPath(a: { path: string }, b: { path: string }): number {
  return a.path < b.path ? -1 : 1;
}

/** Bundles functions so that late imports are read late, in one build, and gives each its own folder. */
async function bundleTogether(outDir: string, names: readonly FunctionName[]): Promise<Metafile> {
  // Source maps name sources relative to themselves, so this folder is as deep as those of the functions.
  const madeIn = path.resolve(outDir, 'together');
  const { metafile } = await build({
    ...bundleOptions,
    entryPoints: names.map((name) => ({ in: functionSource(name), out: name })),
    outdir: madeIn,
    ...splitOptions,
    plugins: [...bundleOptions.plugins, withoutValidators],
  });
  separateFunctions({ root, madeIn, outDir: path.resolve(outDir) }, names, metafile);
  return metafile;
}

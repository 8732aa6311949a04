import { createHash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type BuildOptions, type Metafile, type Plugin, stop } from 'esbuild';
import {
  type FunctionName,
  functionNames,
  functionSource,
} from '../lib/functions/function-names.ts';
import { webAppFolder } from '../lib/web-app/web-app-build.ts';
import { bundleWebApp } from './bundle-web-app.ts';
import { bundleViewers } from './bundle-viewers.ts';

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
  keepNames: true,
  sourcemap: 'linked',
  sourcesContent: false,
  banner: { js: requireShim },
  metafile: true,
  logLevel: 'warning',
} as const satisfies BuildOptions;

/** Extra options for functions whose late imports become chunks of their own. */
export const splitOptions = { splitting: true, minifyIdentifiers: true } as const;

/** Functions that need some of their code for few requests only. */
const splitFunctions: readonly FunctionName[] = [
  'gate',
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

type Options = BuildOptions & typeof bundleOptions;

/** Ends the process of esbuild, which keeps hundreds of megabytes. Another build starts it again. */
export async function stopBundling(): Promise<void> {
  await stop();
}

/** Called with the functions that are bundled now. */
export type OnBundled = (names: readonly FunctionName[]) => void;

/**
 * Bundles functions, all by default, to `<outDir>/<name>/index.mjs`, with its source map beside it.
 *
 * The AWS SDK is bundled too: what runs is what was tested, not what the runtime ships that week.
 * The web app is beside the bundle that deploys it. The scripts of viewer pages are beside the bundle that serves them, and the gate's bundle knows their names.
 * `<outDir>/meta.json` lists the sources of each bundle.
 */
export async function bundleFunctions(
  outDir: string,
  names: readonly FunctionName[] = functionNames,
): Promise<void> {
  const showsPages = names.includes('gate') || names.includes('viewer-assets');
  const assetsDir = path.join(outDir, 'viewer-assets', 'assets');
  const viewers = showsPages ? bundleViewers(assetsDir) : undefined;
  const webApp = names.includes('web-app')
    ? bundleWebApp(path.join(outDir, webAppFolder))
    : undefined;
  // Awaited later. Until then, a failure is not unhandled.
  viewers?.catch(() => undefined);
  webApp?.catch(() => undefined);
  const metafiles = await bundleNamed(outDir, names, async () => (await viewers)?.paths ?? {});
  await (await viewers)?.compressed;
  await webApp;
  const meta = {
    inputs: Object.assign({}, ...metafiles.map(({ inputs }) => inputs)),
    outputs: Object.assign({}, ...metafiles.map(({ outputs }) => outputs)),
  };
  await writeFile(path.join(outDir, 'meta.json'), JSON.stringify(meta));
}

/** Builds at once. One build already uses two cores; more would only need more memory. */
const maxBuilds = 3;

/** Bundles these functions, some at once. Only the gate waits for the viewers' paths. */
export async function bundleNamed(
  outDir: string,
  names: readonly FunctionName[],
  viewerPaths: () => Promise<Record<string, string>>,
  onBundled: OnBundled = () => undefined,
): Promise<Metafile[]> {
  const together = names.filter((name) => !splitFunctions.includes(name));
  // The gate is last: by then the viewers' paths are known.
  const alone = names
    .filter((name) => splitFunctions.includes(name))
    .toSorted((a, b) => Number(a === 'gate') - Number(b === 'gate'));
  const groups = [...(together.length > 0 ? [together] : []), ...alone.map((name) => [name])];
  const waiting = groups.values();
  const metafiles: Metafile[] = [];
  const work = async () => {
    for (const group of waiting) {
      metafiles.push(await bundleGroup(outDir, group, viewerPaths));
      onBundled(group);
    }
  };
  await Promise.all(Array.from({ length: maxBuilds }, work));
  return metafiles;
}

async function bundleGroup(
  outDir: string,
  group: readonly FunctionName[],
  viewerPaths: () => Promise<Record<string, string>>,
): Promise<Metafile> {
  const [name] = group;
  if (name === undefined || !splitFunctions.includes(name)) return bundleEach(outDir, group);
  return bundleSplit(outDir, name, name === 'gate' ? await gateNames(viewerPaths) : {});
}

/** The names that bundling replaces in the gate: the viewers' paths, and a hash of everything in its bundle. */
async function gateNames(
  viewerPaths: () => Promise<Record<string, string>>,
): Promise<Record<string, string>> {
  const define = { VIEWER_ASSETS: JSON.stringify(await viewerPaths()) };
  const build = await buildHash('gate', { ...bundleOptions, define });
  return { ...define, PAGES_BUILD: JSON.stringify(build) };
}

/** Identifies the build of a function: a hash of everything in its bundle. */
async function buildHash(name: FunctionName, options: Options): Promise<string> {
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

async function bundleEach(outDir: string, names: readonly FunctionName[]): Promise<Metafile> {
  const { metafile } = await build({
    ...bundleOptions,
    entryPoints: names.map((name) => ({ in: functionSource(name), out: `${name}/index` })),
    outdir: path.resolve(outDir),
  });
  return metafile;
}

/** Bundles one function so that late imports are read late, from chunks beside its entry. */
async function bundleSplit(
  outDir: string,
  name: FunctionName,
  define: Record<string, string>,
): Promise<Metafile> {
  // Chunk names contain a hash, so chunks of an earlier build would stay and be deployed.
  await rm(path.join(outDir, name), { recursive: true, force: true });
  const { metafile } = await build({
    ...bundleOptions,
    define,
    entryPoints: [{ in: functionSource(name), out: 'index' }],
    outdir: path.resolve(outDir, name),
    ...splitOptions,
    plugins: [withoutValidators],
  });
  return metafile;
}

import { readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import {
  type FunctionName,
  functionNames,
  functionSource,
} from '../lib/functions/function-names.ts';
import { hashOfFolder, webAppFolder } from '../lib/web-app/web-app-build.ts';
import type { Build, BuildCache } from './build-cache.ts';
import { inputsOf, settingsFilesFor } from './bundle-inputs.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Every build depends on these: the versions of all packages, and how bundling is done. */
export function commonInputs(): string[] {
  const scripts = readdirSync(path.join(root, 'scripts'), {
    recursive: true,
    encoding: 'utf8',
  }).map((file) => `scripts/${file}`);
  const packages = ['package.json', 'package-lock.json', 'node_modules/.package-lock.json'];
  return [...packages, 'scripts', ...scripts, 'lib/functions/function-names.ts'];
}

/** The part of the environment that a result may depend on. Node's version is none: bundles have one target. */
export const environment = `${process.platform} ${process.arch}`;

/** Where an assembly holds the bundles. */
export const functionsFolder = 'functions';

const Paths = z.record(z.string(), z.string());

/** The name of the web app's files in the cache, where `web-app` is the function that deploys them. */
const webAppBuild = 'web-app-files';

/**
 * What bundles are made for. Somebody waits for a local cloud, so its bundles are made quickly. Those of a
 * deployment are made once and sent to many visitors, so they are made small.
 */
export type BundleUse = 'local' | 'deployment';

/** A build is found again only for the same use. */
function optionsFor(use: BundleUse): string {
  return use === 'local' ? environment : `${environment} ${use}`;
}

/** Says what a build is doing. */
export type Report = (line: string) => void;

/** The folder of each function's bundle, and `viewer-assets/assets` and `web-app/files`, which belong inside of theirs. */
export type Bundles = Map<string, Build>;

/** The bundles of all functions, each taken from the cache while everything it was made from is unchanged. */
export async function cachedBundles(
  cache: BuildCache,
  report: Report,
  use: BundleUse,
): Promise<Bundles> {
  const base = optionsFor(use);
  const known = cache.find('viewers', base);
  const viewers = known === undefined ? buildViewers(cache, report, use) : readyViewers(known);
  const webApp = Promise.resolve(cache.find(webAppBuild, base) ?? buildWebApp(cache, report, use));
  // Awaited later. Until then, a failure is not unhandled.
  webApp.catch(() => undefined);
  const bundles: Bundles = new Map();
  for (const name of functionNames) {
    const options = name === 'gate' ? known && gateOptions(base, known.value) : base;
    const build = options === undefined ? undefined : cache.find(name, options);
    if (build !== undefined) bundles.set(name, build);
  }
  const stale = functionNames.filter((name) => !bundles.has(name));
  const built = await bundleStale({ cache, stale, viewers, report, use });
  for (const [name, build] of built) bundles.set(name, build);
  bundles.set('viewer-assets/assets', await viewers.build);
  bundles.set(webAppFolder, await webApp);
  if (known === undefined || stale.length > 0) {
    const { stopBundling } = await import('./bundle.ts');
    await stopBundling();
  }
  return bundles;
}

/** The scripts of viewer pages, and the path of each on a site. */
export async function cachedViewers(
  cache: BuildCache,
): Promise<{ dir: string; paths: Record<string, string> }> {
  const known = cache.find('viewers', environment);
  const viewers =
    known === undefined ? buildViewers(cache, () => undefined, 'local') : readyViewers(known);
  return { dir: (await viewers.build).dir, paths: await viewers.paths };
}

/** The gate's bundle holds the paths of the viewers' files. */
function gateOptions(base: string, viewerPaths: unknown): string {
  return `${base} ${JSON.stringify(viewerPaths)}`;
}

interface Viewers {
  /** Known before the build is complete. */
  paths: Promise<Record<string, string>>;
  build: Promise<Build>;
}

function readyViewers(known: Build): Viewers {
  return { paths: Promise.resolve(Paths.parse(known.value)), build: Promise.resolve(known) };
}

function buildViewers(cache: BuildCache, report: Report, use: BundleUse): Viewers {
  report('Bundling viewers');
  const draft = cache.draft();
  const bundling = import('./bundle-viewers.ts').then(({ bundleViewers, quickEffort }) =>
    bundleViewers(draft, use === 'local' ? quickEffort : undefined),
  );
  const build = async () => {
    const { paths, inputs, compressed } = await bundling;
    await compressed;
    const all = [...inputs, ...settingsFilesFor(inputs), ...commonInputs()];
    return cache.keep({
      name: 'viewers',
      options: optionsFor(use),
      draft,
      inputs: all,
      value: paths,
    });
  };
  const viewers = {
    paths: bundling.then(({ paths }) => paths),
    build: discardOnError(cache, draft, build()),
  };
  // Both are awaited later. Until then, a failure is not unhandled.
  for (const promise of Object.values(viewers)) promise.catch(() => undefined);
  return viewers;
}

/** Runs in a process of its own beside the others, and starts no later than they do. */
async function buildWebApp(cache: BuildCache, report: Report, use: BundleUse): Promise<Build> {
  report('Building the web app');
  const draft = cache.draft();
  const build = async () => {
    const { bundleWebApp } = await import('./bundle-web-app.ts');
    const { quickEffort } = await import('./bundle-viewers.ts');
    const read = await bundleWebApp(draft, use === 'local' ? quickEffort.brotli : undefined);
    const inputs = [...read, ...settingsFilesFor(read), ...commonInputs()];
    const value = hashOfFolder(draft);
    return cache.keep({ name: webAppBuild, options: optionsFor(use), draft, inputs, value });
  };
  return discardOnError(cache, draft, build());
}

interface Stale {
  cache: BuildCache;
  stale: readonly FunctionName[];
  viewers: Viewers;
  report: Report;
  use: BundleUse;
}

/** Bundles the functions whose sources changed, and stores each of them on its own. */
async function bundleStale(options: Stale): Promise<[FunctionName, Build][]> {
  const { cache, stale, viewers, report, use } = options;
  if (stale.length === 0) return [];
  const { bundleFunctions } = await import('./bundle.ts');
  const { bundleCommand } = await import('./bundle-command.ts');
  const all = functionNames.length;
  let done = all - stale.length;
  report(`Bundling functions (${done} of ${all} are unchanged)`);
  const draft = cache.draft();
  // Source maps name sources relative to themselves, so bundles are made as deep as an assembly holds them.
  const outDir = path.join(draft, functionsFolder);
  const bundling = bundleFunctions(outDir, stale, {
    viewerPaths: () => viewers.paths,
    sharesChunks: use === 'local',
    onBundled(names) {
      done += names.length;
      report(`Bundled ${done} of ${all} functions`);
    },
  });
  const metafiles = await discardOnError(cache, draft, bundling);
  const paths = await viewers.paths;
  // The system function holds the command line, which esbuild does not count among what it read.
  const command = stale.includes('system') ? (await bundleCommand()).inputs : [];
  const kept = stale.map((name): [FunctionName, Build] => {
    const source = functionSource(name);
    const metafile = metafiles.find(({ inputs }) => source in inputs);
    if (metafile === undefined) throw new Error(`${name} was not bundled.`);
    const read = [...inputsOf(metafile, source), ...(name === 'system' ? command : [])];
    const inputs = [...read, ...settingsFilesFor(read), ...commonInputs()];
    const own = cache.draft();
    rmSync(own, { recursive: true });
    renameSync(path.join(outDir, name), own);
    const optionsOf = name === 'gate' ? gateOptions(optionsFor(use), paths) : optionsFor(use);
    return [name, cache.keep({ name, options: optionsOf, draft: own, inputs })];
  });
  cache.discard(draft);
  return kept;
}

async function discardOnError<T>(cache: BuildCache, draft: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    cache.discard(draft);
    throw error;
  }
}

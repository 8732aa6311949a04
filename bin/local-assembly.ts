import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { unknownBuild, webAppFolder } from '../lib/web-app/web-app-build.ts';
import { functionNames } from '../lib/functions/function-names.ts';
import { type Build, BuildCache } from '../scripts/build-cache.ts';
import {
  type Bundles,
  cachedBundles,
  commonInputs,
  environment,
  functionsFolder,
  type Report,
} from '../scripts/cached-bundles.ts';
import { filesIn } from '../scripts/bundle-inputs.ts';
import { linkAll } from '../scripts/link-files.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Where builds of this checkout are kept. */
export const buildsFolder = path.join(root, '.slipway', 'builds');

/**
 * The cloud assembly for these settings: the templates, and the bundles of all functions. Both come from
 * the cache while nothing that they were made from has changed. Returns the assembly's folder.
 *
 * @param program the file that runs, which says what code synthesizes: see {@link codeOf}
 */
export async function localAssembly(
  cacheDir: string,
  settings: Record<string, unknown>,
  report: Report,
  program = process.argv[1],
): Promise<string> {
  const cache = new BuildCache(root, cacheDir);
  const options = optionsFor(settings, program);
  const known = cache.find('assembly', options);
  if (known !== undefined) return known.dir;
  const bundling = cachedBundles(cache, report, 'local');
  // esbuild is a process of its own, so it bundles while the CDK runs here.
  const synthesizing = cachedTemplates({ cache, options, report }, settings);
  const [bundles, templates] = await Promise.all([bundling, synthesizing]);
  const draft = cache.draft();
  assemble(templates.dir, bundles, draft);
  const inputs = [...bundles.values(), templates].flatMap((build) => build.inputs);
  return cache.keep({ name: 'assembly', options, draft, inputs }).dir;
}

function optionsFor(settings: Record<string, unknown>, program: string | undefined): string {
  return `${environment} ${codeOf(program)} ${JSON.stringify(settings)}`;
}

/**
 * Which code synthesizes: the sources, or a bundle of this program, which contains `lib/` as it was when it
 * was made. While tests run, sources may change; their templates must not be found as those of the new sources.
 */
export function codeOf(program = ''): string {
  return /\bprograms@[\w-]+/.exec(program)?.[0] ?? 'sources';
}

/** Synthesized with a placeholder for each bundle, so that a change of a function changes no template. */
async function cachedTemplates(
  { cache, options, report }: { cache: BuildCache; options: string; report: Report },
  settings: Record<string, unknown>,
): Promise<Build> {
  const known = cache.find('templates', options);
  if (known !== undefined) return known;
  report('Synthesizing templates');
  const draft = cache.draft();
  try {
    const bundlesDir = path.join(draft, 'placeholders');
    for (const name of functionNames) {
      mkdirSync(path.join(bundlesDir, name), { recursive: true });
      writeFileSync(path.join(bundlesDir, name, name), name);
    }
    await bundlingStarted();
    const { buildApp } = await import('../lib/app.ts');
    const { parseSettings } = await import('../lib/settings.ts');
    buildApp(parseSettings(settings), { bundlesDir, outdir: draft }).synth();
    rmSync(bundlesDir, { recursive: true });
    return cache.keep({ name: 'templates', options, draft, inputs: templateInputs() });
  } catch (error) {
    cache.discard(draft);
    throw error;
  }
}

/** Waits until esbuild has its work: afterwards the CDK blocks this thread for seconds. */
async function bundlingStarted(): Promise<void> {
  await import('../scripts/bundle-viewers.ts');
  await import('../scripts/bundle.ts');
  await new Promise((resolve) => setImmediate(resolve));
}

/** `lib/` imports nothing but `contract/`, and reads some of its own files. */
function templateInputs(): string[] {
  return [
    'cdk.json',
    'bin/local-assembly.ts',
    ...['lib', 'contract'].flatMap(filesIn),
    ...commonInputs(),
  ];
}

const AssetManifest = z.looseObject({
  files: z.record(
    z.string(),
    z.looseObject({ source: z.looseObject({ path: z.string(), packaging: z.string() }) }),
  ),
});

/** Writes the templates together with the bundles that replace the placeholders. */
function assemble(templatesDir: string, bundles: Bundles, outdir: string): void {
  for (const [name, { dir }] of bundles) linkAll(dir, path.join(outdir, functionsFolder, name));
  const build = z.string().parse(bundles.get(webAppFolder)?.value);
  for (const file of readdirSync(templatesDir).filter((name) => name.endsWith('.json'))) {
    const text = readFileSync(path.join(templatesDir, file), 'utf8');
    const isAssets = file.endsWith('.assets.json');
    const bundle = (asset: string) =>
      `${functionsFolder}/${functionOf(path.join(templatesDir, asset))}`;
    const whole = isAssets ? withBundles(text, bundle) : text.replaceAll(unknownBuild, build);
    writeFileSync(path.join(outdir, file), whole);
  }
}

function withBundles(text: string, replace: (asset: string) => string): string {
  const manifest = AssetManifest.parse(JSON.parse(text));
  for (const { source } of Object.values(manifest.files)) {
    if (source.packaging === 'zip') source.path = replace(source.path);
  }
  return JSON.stringify(manifest);
}

/** A placeholder is a folder with one file that has the function's name. */
function functionOf(placeholder: string): string {
  const [name = ''] = readdirSync(placeholder);
  if (!functionNames.some((known) => known === name))
    throw new Error(`${placeholder} is not the placeholder of a bundle.`);
  return name;
}

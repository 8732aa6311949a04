import { rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildApp, refuseDeployment } from '../../lib/app.ts';
import { checkAssembly } from '../../lib/check/check-template.ts';
import type { Stage } from '../../lib/stages/stage-file.ts';
import { BuildCache } from '../../scripts/build-cache.ts';
import { cachedBundles } from '../../scripts/cached-bundles.ts';
import { linkAll } from '../../scripts/link-files.ts';
import { buildsFolder } from '../local-assembly.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The bundles of all functions as they are deployed; those whose sources are unchanged are not built again. */
export async function stageBundles(
  folder = path.join(root, '.slipway', 'stage-bundles'),
): Promise<string> {
  const cache = new BuildCache(root, buildsFolder);
  const bundles = await cachedBundles(cache, () => undefined, 'deployment');
  rmSync(folder, { recursive: true, force: true });
  for (const [name, { dir }] of bundles) linkAll(dir, path.join(folder, name));
  return folder;
}

/**
 * Writes the templates of a stage and checks them.
 * @param outdir `cdk.out/NAME` by default
 */
export function synthesizeStage(
  { name, settings, isExample }: Stage,
  bundlesDir: string,
  outdir = path.join(root, 'cdk.out', name),
) {
  const app = buildApp(settings, { bundlesDir, outdir, stage: name });
  if (isExample === true) refuseDeployment(app);
  const assembly = app.synth();
  checkAssembly(assembly);
  return assembly;
}

import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { functionNames } from '../lib/function-names.ts';
import { bundleViewers } from './bundle-viewers.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** CommonJS packages call `require` for Node's own modules, which an ES module does not have. */
const requireShim =
  "import { createRequire as slipwayCreateRequire } from 'node:module'; const require = slipwayCreateRequire(import.meta.url);";

/**
 * Bundles every function to `<outDir>/<name>/index.mjs`, with its source map beside it.
 *
 * The AWS SDK is bundled too: what runs is what was tested, not what the runtime ships that week.
 * What viewer pages load lies beside the bundle that serves it, and its names are in every bundle.
 * `<outDir>/meta.json` says what each bundle is made of.
 */
export async function bundleFunctions(outDir: string): Promise<void> {
  const viewers = await bundleViewers(path.join(outDir, 'viewer-assets', 'assets'));
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: functionNames.map((name) => ({
      in: `lambdas/${name}.ts`,
      out: `${name}/index`,
    })),
    outdir: path.resolve(outDir),
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
    define: { VIEWER_ASSETS: JSON.stringify(viewers) },
    metafile: true,
    logLevel: 'warning',
  });
  await writeFile(path.join(outDir, 'meta.json'), JSON.stringify(metafile));
}

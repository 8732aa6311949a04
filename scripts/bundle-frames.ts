import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';

const sources = 'web/viewers/frames';

export type Frames = Awaited<ReturnType<typeof bundleFrames>>;

/**
 * Bundles every `web/viewers/frames/<name>.ts` into a page with its script inside: a frame without an
 * origin may load no script from ours. The page's policy names this script and no other.
 */
export async function bundleFrames(root: string, outDir: string) {
  const names = readdirSync(path.join(root, sources))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
    .map((file) => file.slice(0, -'.ts'.length));
  // The scripts beside them are bundled at the same time, and may create the folder later.
  await mkdir(outDir, { recursive: true });
  const frames = await Promise.all(names.map(async (name) => bundleFrame(root, outDir, name)));
  return {
    /** The name of each frame and of its file. */
    files: frames.map(({ file }) => file),
    inputs: Object.assign({}, ...frames.map(({ inputs }) => inputs)),
  };
}

async function bundleFrame(root: string, outDir: string, name: string) {
  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [`${sources}/${name}.ts`],
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: ['chrome111', 'firefox114', 'safari16.4'],
    minify: true,
    charset: 'ascii',
    // Mermaid is made for a page's own scripts, whose variables are properties of the global object.
    define: { 'globalThis.__esbuild_esm_mermaid_nm': '__esbuild_esm_mermaid_nm' },
    // There is no file beside it for them.
    legalComments: 'eof',
    metafile: true,
    logLevel: 'warning',
  });
  // The parser of HTML ends a script at these words, wherever they are (HTML, section 4.12.1.3).
  const script = (outputFiles[0]?.text ?? '').replaceAll(/<(?=\/script|!--)/gi, '\\x3c');
  const hash = createHash('sha256').update(script);
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash.copy().digest('base64')}'`;
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="content-security-policy" content="${policy}"><title>Frame</title><body><script>${script}</script></body></html>\n`;
  const file = `${name}-${hash.digest('hex').slice(0, 8).toUpperCase()}.html`;
  await writeFile(path.join(outDir, file), page);
  return { file: [name, file] as const, inputs: metafile.inputs };
}

import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build, type Metafile } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const sources = 'web/viewers';

/** Files that a package reads by their own names at run time: they share a folder whose name has the hash. */
const dataFolders = {
  'pdf-data': { package: 'pdfjs-dist', folders: ['cmaps', 'standard_fonts', 'wasm', 'iccs'] },
};

/**
 * Bundles what browsers load on viewer pages: every `web/viewers/<name>.ts` as a module, and the
 * data that their packages ask for. Every name in `outDir` carries a hash of the content, so that
 * browsers may keep it for ever.
 *
 * @returns the path of every name on a site; that of data ends in a slash
 */
export async function bundleViewers(outDir: string): Promise<Record<string, string>> {
  const scripts = await bundleScripts(outDir);
  const data = await Promise.all(
    Object.entries(dataFolders).map(
      async ([name, from]) => [name, await copyData(outDir, name, from)] as const,
    ),
  );
  await compressAll(outDir);
  return Object.fromEntries(
    [...Object.entries(scripts), ...data].map(([name, file]) => [name, `/_slipway/assets/${file}`]),
  );
}

async function bundleScripts(outDir: string): Promise<Record<string, string>> {
  const names = readdirSync(path.join(root, sources))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
    .map((file) => file.slice(0, -'.ts'.length));
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: names.map((name) => ({ in: `${sources}/${name}.ts`, out: name })),
    outdir: path.resolve(outDir),
    entryNames: '[name]-[hash]',
    chunkNames: 'chunk-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: ['chrome111', 'firefox114', 'safari16.4'],
    minify: true,
    legalComments: 'linked',
    metafile: true,
    logLevel: 'warning',
  });
  const licences = await licencesOf(metafile);
  await writeFile(path.join(outDir, `licences-${hashOf([licences])}.txt`), licences);
  return Object.fromEntries(
    Object.entries(metafile.outputs).flatMap(([file, { entryPoint }]) =>
      entryPoint === undefined
        ? []
        : [[path.basename(entryPoint, '.ts'), path.basename(file)] as const],
    ),
  );
}

/** The licences of all packages whose code is in the bundles, as their authors wrote them. */
async function licencesOf({ inputs }: Metafile): Promise<string> {
  const packages = new Set(
    Object.keys(inputs).flatMap(
      (file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? [],
    ),
  );
  const texts = [...packages].toSorted().map(async (folder) => {
    const licences = (await noticesIn(path.join(root, folder))).map((file) =>
      readFile(file, 'utf8'),
    );
    return [folder.replace(/^.*node_modules\//, ''), ...(await Promise.all(licences))].join('\n\n');
  });
  return (await Promise.all(texts)).join(`\n\n${'-'.repeat(72)}\n\n`);
}

/** Licences and notices at the top of a package, and those in a folder of them. */
async function noticesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const found = entries.filter(({ name }) => /^(?:licen[cs]e|notice|third.party)/i.test(name));
  const files = found.filter((entry) => entry.isFile()).map(({ name }) => path.join(folder, name));
  const more = found
    .filter((entry) => entry.isDirectory())
    .map(async ({ name }) =>
      (await readdir(path.join(folder, name))).map((file) => path.join(folder, name, file)),
    );
  return [...files, ...(await Promise.all(more)).flat()];
}

async function copyData(
  outDir: string,
  name: string,
  from: { package: string; folders: string[] },
): Promise<string> {
  const base = path.join(root, 'node_modules', from.package);
  const files = await Promise.all(
    from.folders.flatMap((folder) =>
      readdirSync(path.join(base, folder))
        // What a page's policy would not run.
        .filter((file) => !file.endsWith('.js'))
        .map(async (file) => ({
          file: `${folder}/${file}`,
          bytes: await readFile(path.join(base, folder, file)),
        })),
    ),
  );
  const target = `${name}-${hashOf(files.flatMap(({ file, bytes }) => [file, bytes]))}`;
  for (const { file, bytes } of files) {
    await mkdir(path.dirname(path.join(outDir, target, file)), { recursive: true });
    await writeFile(path.join(outDir, target, file), bytes);
  }
  return `${target}/`;
}

function hashOf(parts: (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex').slice(0, 8).toUpperCase();
}

/** Small enough that packing it saves no packet. */
const leastBytes = 1024;

/** Puts `<file>.br` and `<file>.gz` beside every file that becomes a good deal smaller by it. */
async function compressAll(outDir: string): Promise<void> {
  const files = (await readdir(outDir, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  );
  await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const file = path.join(parentPath, name);
      if (existsSync(`${file}.br`)) return;
      const bytes = await readFile(file);
      const [br, gz] = await Promise.all([brotli(bytes), promisify(gzip)(bytes, { level: 9 })]);
      if (bytes.length < leastBytes || br.length > bytes.length * 0.9) return;
      await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)]);
    }),
  );
}

/** The highest quality takes ten times as long for a few hundredths. */
function brotli(bytes: Buffer): Promise<Buffer> {
  return promisify(brotliCompress)(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 9,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
}

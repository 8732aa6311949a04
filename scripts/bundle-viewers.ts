import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build, type Metafile } from 'esbuild';
import { bundleFrames } from './bundle-frames.ts';
import { inputFiles } from './bundle-inputs.ts';
import { withoutEval } from './without-eval.ts';
import { licencesIn, noticesOf } from './bundled-licences.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const sources = 'web/viewers';

/** Files of a package that it reads by name at run time. */
interface DataFolder {
  package: string;
  /** Folder of the package in which the others are. */
  in?: string;
  folders: string[];
  /** The files among them that are needed; otherwise all. */
  only?: RegExp;
  /** The page's policy forbids scripts that are not started by ours. */
  scripts?: true;
}

/** They keep their names in a folder whose name contains the hash. */
const dataFolders: Record<string, DataFolder> = {
  'pdf-data': { package: 'pdfjs-dist', folders: ['cmaps', 'standard_fonts', 'wasm', 'iccs'] },
  'jxl-decoder': { package: '@jsquash/jxl', in: 'codec/dec', folders: ['.'] },
  'heic-decoder': {
    package: 'libheif-js',
    in: 'libheif-wasm',
    folders: ['.'],
    only: /^(?:libheif\.wasm|LICENSE)$/,
  },
  sqlite: { package: 'sql.js', in: 'dist', folders: ['.'], only: /^sql-wasm-browser\.wasm$/ },
  'model-decoders': {
    package: 'three',
    in: 'examples/jsm/libs',
    folders: ['draco/gltf', 'basis'],
    scripts: true,
  },
};

/** Levels of compression. */
interface Effort {
  brotli: number;
  gzip: number;
}

/** Brotli's highest level takes ten times as long as its ninth, and saves only a few percent more. */
const deployedEffort: Effort = { brotli: 9, gzip: 9 };

/** A sixth of the time, for files that are a few percent larger: somebody waits for this start. */
export const quickEffort: Effort = { brotli: 5, gzip: 6 };

export type ViewerBundles = Awaited<ReturnType<typeof bundleViewers>>;

/**
 * Bundles the scripts of viewer pages: every `web/viewers/<name>.ts` as a module, workers each in one
 * file, because their policy lets them import nothing, frames as pages, and the data that their packages need. Every name in `outDir` contains a hash of the content, so browsers may cache it
 * for ever.
 */
export async function bundleViewers(outDir: string, effort = deployedEffort) {
  await rm(outDir, { recursive: true, force: true });
  const scripts = await bundleScripts(outDir);
  const data = await Promise.all(
    Object.entries(dataFolders).map(async ([name, from]) => copyData(outDir, name, from)),
  );
  const files = [...scripts.files, ...data.map(({ file }) => file)];
  return {
    /** The path of each script and data folder on a site; paths of folders end in a slash. */
    paths: Object.fromEntries(files.map(([name, file]) => [name, `/_slipway/assets/${file}`])),
    /** Every file and folder that was read, relative to the repository. */
    inputs: [sources, ...scripts.inputs, ...data.flatMap(({ inputs }) => inputs)],
    /** Resolves when the compressed files are written too. */
    compressed: compressAll(outDir, effort),
  };
}

interface Scripts {
  /** The name of each viewer and of its file. */
  files: (readonly [viewer: string, file: string])[];
  inputs: string[];
}

async function bundleScripts(outDir: string): Promise<Scripts> {
  const names = readdirSync(path.join(root, sources))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
    .map((file) => file.slice(0, -'.ts'.length));
  const isWorker = (name: string) => name.endsWith('-worker');
  const [pages, workers, frames] = await Promise.all([
    bundleModules(
      outDir,
      names.filter((name) => !isWorker(name)),
      true,
    ),
    bundleModules(outDir, names.filter(isWorker), false),
    bundleFrames(root, path.resolve(outDir)),
  ]);
  const metafile: Metafile = {
    inputs: { ...pages.inputs, ...workers.inputs, ...frames.inputs },
    outputs: { ...pages.outputs, ...workers.outputs },
  };
  const notices = await noticesOf(Object.keys(metafile.inputs));
  const licences = await licencesIn(notices);
  await writeFile(path.join(outDir, `licences-${hashOf([licences])}.txt`), licences);
  return {
    files: [
      ...Object.entries(metafile.outputs).flatMap(([file, { entryPoint }]) =>
        entryPoint === undefined
          ? []
          : [[path.basename(entryPoint, '.ts'), path.basename(file)] as const],
      ),
      ...frames.files,
    ],
    inputs: [...inputFiles(metafile), ...notices.keys(), ...[...notices.values()].flat()],
  };
}

async function bundleModules(
  outDir: string,
  names: readonly string[],
  splitting: boolean,
): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: names.map((name) => ({ in: `${sources}/${name}.ts`, out: name })),
    outdir: path.resolve(outDir),
    entryNames: '[name]-[hash]',
    chunkNames: 'chunk-[hash]',
    bundle: true,
    splitting,
    format: 'esm',
    platform: 'browser',
    // Libraries that run in Node too require them there.
    external: ['fs', 'path'],
    target: ['chrome111', 'firefox114', 'safari16.4'],
    minify: true,
    legalComments: 'linked',
    metafile: true,
    logLevel: 'warning',
  });
  return metafile;
}

async function copyData(
  outDir: string,
  name: string,
  from: DataFolder,
): Promise<{ file: readonly [string, string]; inputs: string[] }> {
  const source = path.join('node_modules', from.package, from.in ?? '');
  const base = path.join(root, source);
  const files = await Promise.all(
    from.folders.flatMap((folder) =>
      readdirSync(path.join(base, folder))
        .filter((file) => (from.scripts ?? !file.endsWith('.js')) && !/\.(?:ts|md)$/.test(file))
        .filter((file) => from.only?.test(file) ?? true)
        .map(async (file) => ({
          file: path.join(folder, file),
          bytes: await dataFile(path.join(base, folder, file)),
        })),
    ),
  );
  const target = `${name}-${hashOf(files.flatMap(({ file, bytes }) => [file, bytes]))}`;
  for (const { file, bytes } of files) {
    await mkdir(path.dirname(path.join(outDir, target, file)), { recursive: true });
    await writeFile(path.join(outDir, target, file), bytes);
  }
  return {
    file: [name, `${target}/`],
    inputs: [
      ...from.folders.map((folder) => `${source}/${folder}`),
      ...files.map(({ file }) => `${source}/${file}`),
    ],
  };
}

async function dataFile(file: string): Promise<Uint8Array> {
  const bytes = await readFile(file);
  if (path.basename(file) !== 'basis_transcoder.js') return bytes;
  return Buffer.from(withoutEval(bytes.toString()));
}

function hashOf(parts: (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex').slice(0, 8).toUpperCase();
}

/** Compressing a smaller file saves no network packet. */
const minCompressedBytes = 1024;

/** Files compressed at once. An encoder takes megabytes, and Node has four threads for them. */
const maxEncoders = 4;

/** Writes `<file>.br` and `<file>.gz` beside every file that compression makes at least a tenth smaller. */
async function compressAll(outDir: string, effort: Effort): Promise<void> {
  const entries = await readdir(outDir, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name))
    .values();
  const work = async () => {
    for (const file of files) if (!existsSync(`${file}.br`)) await compress(file, effort);
  };
  await Promise.all(Array.from({ length: maxEncoders }, work));
}

async function compress(file: string, effort: Effort): Promise<void> {
  const bytes = await readFile(file);
  const [br, gz] = await Promise.all([
    brotli(bytes, effort.brotli),
    promisify(gzip)(bytes, { level: effort.gzip }),
  ]);
  if (bytes.length < minCompressedBytes || br.length > bytes.length * 0.9) return;
  await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)]);
}

function brotli(bytes: Buffer, quality: number): Promise<Buffer> {
  return promisify(brotliCompress)(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
}

import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { build, type Plugin } from 'vite';
import { licencesIn, noticesOf } from '../bundled-licences.ts';
import { filesIn } from '../bundle-inputs.ts';
import { operationTable } from './operation-table.ts';
import { type GuideSection, parseGuide } from '../../contract/discovery/connect-guide.ts';

/** Builds the web app into the folder that it is given, with the level of Brotli that it is given, and prints what it read as JSON. */

const root = fileURLToPath(new URL('../..', import.meta.url));
const source = path.join(root, 'web', 'app');

/**
 * Modules that are made from the rest of the repository: `virtual:operations` has method and path of each
 * operation, without their schemas; `virtual:connect-guide` is `docs/connect.md`; `virtual:stylesheet.css` is the stylesheet of all other pages.
 */
function generatedModules(): Plugin {
  const made: Record<string, () => Promise<string>> = {
    'virtual:operations': async () =>
      `export const operations = ${JSON.stringify(await operationTable())};`,
    'virtual:connect-guide': async () =>
      `export const guide = ${JSON.stringify(await connectGuide())};`,
    'virtual:stylesheet.css': async () =>
      (await import('../../web/styles/stylesheet.ts')).stylesheet,
  };
  return {
    name: 'generated-modules',
    resolveId: (id) => (id in made ? `\0${id}` : undefined),
    load: async (id) => made[id.replace(/^\0/, '')]?.(),
  };
}

/** Collects the files that the build read. */
function inputCollector(inputs: Set<string>): Plugin {
  return {
    name: 'inputs',
    buildEnd() {
      for (const id of this.getModuleIds()) {
        const [file = ''] = id.split('?');
        if (path.isAbsolute(file)) inputs.add(path.relative(root, file));
      }
    },
  };
}

/** How each client is connected, from `docs/connect.md`. */
async function connectGuide(): Promise<GuideSection[]> {
  return parseGuide(await readFile(path.join(root, 'docs', 'connect.md'), 'utf8'));
}

/** The script of pages that functions render. They know no hash, so its name has none. */
const pageScript = 'pages';

const names = {
  entryFileNames: ({ name }: { name: string }) =>
    name === pageScript ? '[name].js' : 'assets/[name]-[hash].js',
  chunkFileNames: 'assets/[name]-[hash].js',
  assetFileNames: 'assets/[name]-[hash][extname]',
};

/** The scripts of visitors' pages. */
const pagesEntry = 'page-scripts/main.ts';

/**
 * Chunks of what the app loads at once. The bundler knows only that each view can be loaded without the app
 * (`start.ts`), and would make dozens of small ones.
 */
function firstChunks() {
  const [app, start, pages] = ['main.tsx', 'start.ts', pagesEntry].map((entry) => {
    const file = path.join(source, entry);
    let loaded: Set<string> | undefined;
    return (id: string, modules: ModuleGraph) => (loaded ??= loadedWith(file, modules)).has(id);
  });
  let reached: Set<string> | undefined;
  const late = (id: string, modules: ModuleGraph) =>
    (reached ??= loadedWith(path.join(source, pagesEntry), modules, true)).has(id);
  const chunks = [
    ['preload', (id: string) => id.includes('preload-helper')],
    [
      'early',
      (id: string, modules: ModuleGraph) => !id.endsWith('start.ts') && start?.(id, modules),
    ],
    ['start', start],
    ['shared', (id: string, modules: ModuleGraph) => app?.(id, modules) && pages?.(id, modules)],
    // Visitors' pages load these later, and nothing else of the app: its style sheet is refused there.
    ['sending', (id: string, modules: ModuleGraph) => app?.(id, modules) && late(id, modules)],
    ['app', app],
  ] as const;
  return chunks.map(([name, holds], at) => ({
    name: (id: string, modules: ModuleGraph) => (holds?.(id, modules) === true ? name : null),
    // A chunk takes what those before it left.
    priority: chunks.length - at,
  }));
}

interface ModuleGraph {
  getModuleInfo(
    id: string,
  ): { importedIds: readonly string[]; dynamicallyImportedIds: readonly string[] } | null;
}

/** A module, and all that it imports at once, or also later. */
function loadedWith(entry: string, modules: ModuleGraph, isLate = false): Set<string> {
  const loaded = new Set([entry]);
  for (const id of loaded) {
    const info = modules.getModuleInfo(id);
    for (const imported of info?.importedIds ?? []) loaded.add(imported);
    for (const imported of (isLate && info?.dynamicallyImportedIds) || []) loaded.add(imported);
  }
  return loaded;
}

async function buildApp(outDir: string, brotli: number): Promise<string[]> {
  const inputs = new Set<string>();
  await build({
    root: source,
    configFile: false,
    base: '/dashboard/',
    // Packages mark modules for servers ("use client"), of which the bundler warns one by one.
    logLevel: 'error',
    plugins: [generatedModules(), inputCollector(inputs)],
    build: {
      outDir,
      emptyOutDir: true,
      target: ['chrome111', 'firefox114', 'safari16.4'],
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: {
        input: {
          index: path.join(source, 'index.html'),
          [pageScript]: path.join(source, 'page-scripts', 'main.ts'),
        },
        output: {
          ...names,
          comments: { legal: false },
          codeSplitting: { groups: firstChunks() },
        },
      },
    },
  });
  const notices = await noticesOf(inputs);
  await addLicences(outDir, await licencesIn(notices));
  await compressAll(outDir, brotli);
  const folders = ['web/app', 'web/ui', 'contract', 'web/styles', 'scripts/web-app'];
  const licences = [...notices].flatMap(([folder, files]) => [folder, ...files]);
  return [...inputs, ...licences, 'docs/connect.md', ...folders.flatMap(filesIn)].toSorted();
}

/** Licences of the packages ask that their texts go with the code. The page names them. */
async function addLicences(outDir: string, licences: string): Promise<void> {
  const hash = createHash('sha256').update(licences).digest('hex').slice(0, 8);
  const name = `assets/licences-${hash}.txt`;
  await writeFile(path.join(outDir, name), licences);
  const page = path.join(outDir, 'index.html');
  const link = `<link rel="license" href="/dashboard/${name}" />\n  </head>`;
  await writeFile(page, (await readFile(page, 'utf8')).replace('</head>', link));
}

/** Writes `<file>.br` beside each text. */
async function compressAll(outDir: string, brotli: number): Promise<void> {
  const files = readdirSync(outDir, { recursive: true, encoding: 'utf8' });
  const texts = files.filter((file) => /\.(?:js|css|html|svg|txt)$/.test(file));
  const params = { [constants.BROTLI_PARAM_QUALITY]: brotli };
  const work = texts.map(async (file) => {
    const bytes = await readFile(path.join(outDir, file));
    const compressed = await promisify(brotliCompress)(bytes, { params });
    await writeFile(path.join(outDir, `${file}.br`), compressed);
  });
  await Promise.all(work);
}

const [outDir, brotli] = process.argv.slice(2);
if (outDir === undefined || brotli === undefined) {
  throw new Error('Call it with a folder and a level of Brotli.');
}
console.log(JSON.stringify(await buildApp(outDir, Number(brotli))));

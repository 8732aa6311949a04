import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { functionNames, functionSource } from '../../lib/functions/function-names.ts';
import { inputsOf } from '../../scripts/bundle-inputs.ts';
import { quickEffort } from '../../scripts/bundle-viewers.ts';
import { webAppFolder } from '../../lib/web-app/web-app-build.ts';
import { bundleFunctions } from '../../scripts/bundle.ts';
import { BuildCache } from '../../scripts/build-cache.ts';
import { cachedBundles } from '../../scripts/cached-bundles.ts';
import { buildsFolder } from '../../bin/local-assembly.ts';
import { stageBundles } from '../../bin/stages/synthesize-stage.ts';
import { loadedAtOnce } from '../../scripts/loaded-at-once.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const made = mkdtempSync(path.join(tmpdir(), 'slipway-bundles-'));
/** What a deployment ships. */
const deployed = path.join(made, 'deployed');
const bundleOf = (name: string) => path.join(deployed, name, 'index.mjs');
/** Functions of which tests must know what they are made of. That is known only when they are bundled. */
const dir = path.join(made, 'functions');
const madeHere = ['gate', 'mcp', 'system'] as const;
const madeOf = (name: (typeof madeHere)[number]) => path.join(dir, name, 'index.mjs');
let metafiles: Awaited<ReturnType<typeof bundleFunctions>>;

beforeAll(async () => {
  await stageBundles(deployed);
  const cache = new BuildCache(root, buildsFolder);
  const bundles = await cachedBundles(cache, () => undefined, 'deployment');
  const paths = bundles.get('viewer-assets/assets')?.value as Record<string, string>;
  mkdirSync(path.join(dir, 'gate'), { recursive: true });
  writeFileSync(path.join(dir, 'gate', 'chunk-OF-AN-EARLIER-BUILD.mjs'), '');
  const options = { viewerPaths: async () => paths, sharesChunks: false };
  metafiles = await bundleFunctions(dir, madeHere, options);
}, 300_000);
afterAll(() => rmSync(made, { recursive: true }));

const assets = path.join(deployed, webAppFolder, 'assets');
const viewerAssets = path.join(deployed, 'viewer-assets', 'assets');

/** Chunks of the web app, with those that they import at once. */
function loadedWith(chunks: readonly string[]): Set<string> {
  const loaded = new Set<string>();
  const open = [...chunks];
  for (let chunk = open.pop(); chunk !== undefined; chunk = open.pop()) {
    if (loaded.has(chunk)) continue;
    loaded.add(chunk);
    const code = readFileSync(path.join(assets, chunk), 'utf8');
    // An `import()` has a bracket.
    for (const [, name = ''] of code.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g))
      open.push(name);
  }
  return loaded;
}

const bytesOf = (chunks: Iterable<string>) =>
  [...chunks].reduce((sum, chunk) => sum + statSync(path.join(assets, `${chunk}.br`)).size, 0);

const importOfHttp = /(?:\bimport\(|\bimport|\bfrom)\s*["'](?:node:)?http["']/;

describe('bundles', () => {
  test.each([...functionNames])(
    '%s loads without any variable and without undici, and has a handler',
    (name) => {
      const url = pathToFileURL(bundleOf(name)).href;
      // The one thing that Lambda's runtime adds to Node.
      const global = 'globalThis.awslambda = { streamifyResponse: (handler) => handler };';
      const loaded = 'process.moduleLoadList.some((name) => name.endsWith("/undici"))';
      const code = `${global} import(${JSON.stringify(url)}).then((m) => process.stdout.write(typeof m.handler + ${loaded}))`;
      // CI gives the Node of deployed functions, in which an import of `node:http` would load it.
      const node = process.env['NEWER_NODE'] ?? process.execPath;
      expect(execFileSync(node, ['-e', code], { encoding: 'utf8', env: {} })).toBe('functionfalse');
    },
  );

  test.each([...functionNames])('%s does not import `node:http` later either', (name) => {
    const folder = path.join(deployed, name);
    const importing = readdirSync(folder)
      // The command line is a text in its module: it runs elsewhere.
      .filter((file) => file.endsWith('.mjs') && !file.startsWith('virtual_command'))
      .filter((file) => importOfHttp.test(readFileSync(path.join(folder, file), 'utf8')));
    expect(importing).toEqual([]);
  });

  test.each([...functionNames])('%s stays small, with its source map beside it', (name) => {
    expect(statSync(bundleOf(name)).size).toBeLessThan(2_000_000);
    expect(readFileSync(bundleOf(name), 'utf8')).toMatch(
      /\n\/\/# sourceMappingURL=index\.mjs\.map\n$/,
    );
    expect(statSync(`${bundleOf(name)}.map`).size).toBeGreaterThan(0);
  });

  test('of viewer pages fit compressed into a response, with hashed names', () => {
    const files = readdirSync(viewerAssets, { recursive: true, encoding: 'utf8' });
    const largest = Math.max(...files.map((file) => statSync(path.join(viewerAssets, file)).size));
    // Lambda answers 6 MB at most, as base64.
    expect(largest).toBeLessThan(4_400_000);
    const worker = files.find((file) => /^pdf-worker-[0-9A-Z]{8}\.js$/.test(file)) ?? '';
    expect(files).toEqual(expect.arrayContaining([`${worker}.br`, `${worker}.gz`]));
    expect(files.filter((file) => !/[-][0-9A-Z]{8}(?:$|[./])/.test(file))).toEqual([]);
    expect(files.some((file) => /^licences-[0-9A-F]{8}\.txt$/.test(file))).toBe(true);
  });

  test.each([
    ['viewer pages', viewerAssets, /^pdf-worker-.*\.js$/],
    ['the web app', assets, /^app-.*\.js$/],
  ])('of %s are compressed for visitors, not for a quick start', (_, folder, name) => {
    const file = path.join(folder, readdirSync(folder).find((one) => name.test(one)) ?? '');
    const params = { [constants.BROTLI_PARAM_QUALITY]: quickEffort.brotli };
    const quick = brotliCompressSync(readFileSync(file), { params });
    expect(statSync(`${file}.br`).size).toBeLessThan(quick.length);
  });

  test('of the web app fit into their budgets', () => {
    const page = readFileSync(path.join(deployed, webAppFolder, 'index.html'), 'utf8');
    const scripts = [...page.matchAll(/assets\/([^"]+\.js)/g)].map(([, name = '']) => name);
    const names = readdirSync(assets).filter((file) => file.endsWith('.js'));
    const viewNames = names.filter((file) => file.includes('-view-'));
    const nameOf = (view: string) => viewNames.find((file) => file.startsWith(view)) ?? '';
    const first = loadedWith([...scripts, nameOf('projects-view-')]);
    const firstBytes = bytesOf(first);
    console.log(`the first view of the web app has ${firstBytes} bytes of compressed script`);
    expect(first.size).toBeGreaterThan(3);
    expect(firstBytes).toBeLessThan(130_000);
    const others = viewNames.map((view) => [
      view.slice(0, -'-12345678.js'.length),
      bytesOf([...loadedWith([view])].filter((chunk) => !first.has(chunk))),
    ]);
    console.log(`its views add ${JSON.stringify(Object.fromEntries(others))} bytes`);
    expect(others.length).toBeGreaterThan(10);
    expect(others.filter(([, bytes]) => Number(bytes) > 40_000)).toEqual([]);
    expect(page).not.toMatch(/<script(?![^>]* src=)|<style|style=|https?:/);
  });

  test('of the web app have the licences of their packages beside them', () => {
    const page = readFileSync(path.join(deployed, webAppFolder, 'index.html'), 'utf8');
    const [, file = ''] = /rel="license" href="\/dashboard\/assets\/([^"]+)"/.exec(page) ?? [];
    const licences = readFileSync(path.join(assets, file), 'utf8');
    for (const name of ['react', 'react-dom', '@tanstack/react-query', '@visx/shape', 'd3-shape']) {
      expect(licences).toMatch(new RegExp(`^${name}\\n\\n[^-]`, 'm'));
    }
    expect(licences).toContain('MIT License');
    expect(licences).not.toMatch(/-{72}\n\n\S+\n*-{72}/);
  });
});

test("the texts of the guides are inputs of the system's bundle, so that a change bundles it again", () => {
  const source = functionSource('system');
  const inputs = metafiles.flatMap((one) => (source in one.inputs ? inputsOf(one, source) : []));
  expect(inputs).toContain('docs/static-hosting.md');
  expect(inputs.filter((file) => !existsSync(file))).toEqual([]);
});

describe("the gate's bundle", () => {
  test('and everything that a visit loads at once stay under 240 kB', () => {
    const loaded = loadedAtOnce(outputs(), madeOf('gate'));
    const bytes = loaded.reduce((sum, file) => sum + statSync(file).size, 0);
    console.log(`the gate loads ${bytes} bytes in ${loaded.length} files at once`);
    expect(bytes).toBeLessThan(240_000);
  });

  /** The sources of all its chunks, of which something is left in them. */
  const inputsOfGate = () =>
    Object.entries(outputs())
      .filter(([file]) => file.includes('/gate/'))
      .flatMap(([, output]) => Object.keys(output.inputs));

  test('contains zod/mini and no other zod in any chunk (decision 0124)', () => {
    const inputs = inputsOfGate().filter((file) => file.includes('/zod/v4/'));
    expect(inputs.some((file) => file.endsWith('/mini/schemas.js'))).toBe(true);
    expect(inputs.filter((file) => !/\/zod\/v4\/(?:core|mini)\//.test(file))).toEqual([]);
  });

  test('contains no AWS SDK in any chunk', () => {
    const inputs = inputsOfGate();
    expect(inputs.filter((file) => /@aws-sdk|@smithy/.test(file))).toEqual([]);
    expect(inputs.some((file) => file.endsWith('adapters/signed-calls/signed-calls.ts'))).toBe(
      true,
    );
  });

  test('has only the chunks of this build, each with its source map', () => {
    const files = readdirSync(path.join(dir, 'gate'));
    const code = files.filter((file) => file.endsWith('.mjs'));
    expect(files.toSorted()).toEqual(code.flatMap((file) => [file, `${file}.map`]).toSorted());
  });
});

describe('the bundle of /mcp', () => {
  test('loads a generation of the protocol only when a client uses it', () => {
    const loaded = loadedAtOnce(outputs(), madeOf('mcp'));
    const bytes = loaded.reduce((sum, file) => sum + statSync(file).size, 0);
    console.log(`/mcp loads ${bytes} bytes in ${loaded.length} files at once`);
    expect(bytes).toBeLessThan(1_500_000);
    expect(contentsOf(loaded).filter((file) => file.includes('@modelcontextprotocol'))).toEqual([]);
  });

  test('contains no server framework and no unused validator', () => {
    const all = readdirSync(path.join(dir, 'mcp')).map((file) => path.join(dir, 'mcp', file));
    const inputs = contentsOf(all);
    expect(inputs.some((file) => file.includes('@modelcontextprotocol/sdk'))).toBe(true);
    expect(inputs.some((file) => file.includes('@modelcontextprotocol/server'))).toBe(true);
    const unwanted = /node_modules\/(?:express|hono|@hono|jose|ajv|cors|eventsource)\/|ajvProvider/;
    expect(inputs.filter((file) => unwanted.test(file))).toEqual([]);
  });
});

/** What written files are made of. */
function contentsOf(files: readonly string[]): string[] {
  const wanted = new Set(files.map((file) => path.resolve(file)));
  return Object.entries(outputs())
    .filter(([file]) => wanted.has(path.resolve(file)))
    .flatMap(([, output]) => Object.keys(output.inputs));
}

interface Output {
  inputs: Record<string, unknown>;
  imports: { path: string; kind: string; external?: boolean }[];
}

/** What each written file holds and imports, by its path from here. */
function outputs(): Record<string, Output> {
  return Object.assign({}, ...metafiles.map((one) => one.outputs));
}

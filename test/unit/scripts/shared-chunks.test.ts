import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { separateFunctions } from '../../../scripts/shared-chunks.ts';

const root = mkdtempSync(path.join(tmpdir(), 'slipway-chunks-'));
afterAll(() => rmSync(root, { recursive: true }));

const sources: Record<string, string> = {
  'first.js': "import { both } from './both.js'; export const handler = () => both('first');",
  'second.js':
    "import { both } from './both.js'; export const handler = async () => both((await import('./late.js')).late);",
  'both.js': 'export const both = (name) => `both for ${name}`;',
  'late.js': "import { both } from './both.js'; export const late = both('late');",
};

async function bundled() {
  mkdirSync(path.join(root, 'src'), { recursive: true });
  for (const [name, code] of Object.entries(sources))
    writeFileSync(path.join(root, 'src', name), code);
  const madeIn = path.join(root, 'out', 'together');
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['first', 'second'].map((name) => ({ in: `src/${name}.js`, out: name })),
    outdir: madeIn,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    sourcemap: 'linked',
    metafile: true,
  });
  const outDir = path.join(root, 'out');
  separateFunctions({ root, madeIn, outDir }, ['first', 'second'], metafile);
  return outDir;
}

describe('functions of one build', () => {
  test('have what they may load in a folder of their own, and nothing of each other', async () => {
    const outDir = await bundled();
    expect(existsSync(path.join(outDir, 'together'))).toBe(false);
    const chunks = (name: string) =>
      readdirSync(path.join(outDir, name)).map((file) => file.replace(/-[A-Z0-9]{8}\./, '-HASH.'));
    expect(chunks('first')).toEqual([
      'chunk-HASH.mjs',
      'chunk-HASH.mjs.map',
      'first.mjs.map',
      'index.mjs',
    ]);
    expect(chunks('second').toSorted()).toEqual([
      'chunk-HASH.mjs',
      'chunk-HASH.mjs.map',
      'index.mjs',
      'late-HASH.mjs',
      'late-HASH.mjs.map',
      'second.mjs.map',
    ]);
    const code = readFileSync(path.join(outDir, 'second', 'index.mjs'), 'utf8');
    expect(code).toContain('//# sourceMappingURL=second.mjs.map');
    const second = await import(path.join(outDir, 'second', 'index.mjs'));
    expect(await second.handler()).toBe('both for both for late');
  });
});

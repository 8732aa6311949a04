import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { prepareAssembly, type SynthTarget } from '../../../local/build.ts';
import { temporaryFolder } from '../../fixtures/clouds/temporary-folder.ts';

function aProject() {
  const root = temporaryFolder('build');
  mkdirSync(join(root, 'core'));
  writeFileSync(join(root, 'core', 'a.ts'), '1');
  const builds: SynthTarget[] = [];
  const bundles: string[] = [];
  const prepare = (settings = {}) =>
    prepareAssembly({
      root,
      cacheDir: join(root, '.cache'),
      settings,
      bundle: async (bundlesDir) => {
        bundles.push(bundlesDir);
        mkdirSync(bundlesDir);
      },
      synth: async (target) => {
        builds.push(target);
        expect(existsSync(target.bundlesDir)).toBe(true);
        mkdirSync(target.outdir);
        writeFileSync(join(target.outdir, 'manifest.json'), '{}');
      },
    });
  return { root, builds, bundles, prepare, cached: () => readdirSync(join(root, '.cache')) };
}

test('builds once for the same sources and settings', async () => {
  const { builds, prepare } = aProject();
  const first = await prepare();
  expect(await prepare()).toBe(first);
  expect(builds).toHaveLength(1);
  expect(existsSync(join(first, 'manifest.json'))).toBe(true);
});

test('bundles once for the same sources, whatever the settings', async () => {
  const { root, builds, bundles, prepare } = aProject();
  await prepare();
  await prepare({ brand: 'a' });
  expect([builds.length, bundles.length]).toEqual([2, 1]);
  expect(builds[1]?.bundlesDir).toBe(builds[0]?.bundlesDir);
  writeFileSync(join(root, 'core', 'a.ts'), '2');
  await prepare({ brand: 'a' });
  expect([builds.length, bundles.length]).toEqual([3, 2]);
});

test('builds again after any change, and keeps only the last few and those that may still run', async () => {
  const { root, builds, prepare, cached } = aProject();
  await prepare();
  writeFileSync(join(root, 'core', 'a.ts'), '2');
  await prepare();
  writeFileSync(join(root, 'core', 'b.ts'), '');
  await prepare();
  for (const brand of ['a', 'b', 'c']) await prepare({ brand });
  expect(builds).toHaveLength(6);
  expect(cached().filter((name) => name.startsWith('bundles-'))).toHaveLength(3);
  expect(cached()).toHaveLength(9);
  const lastWeek = new Date(Date.now() - 8 * 86_400_000);
  for (const name of cached()) utimesSync(join(root, '.cache', name), lastWeek, lastWeek);
  await prepare({ brand: 'd' });
  expect(cached()).toHaveLength(8);
});

test.each(['bundle', 'synth'] as const)(
  'a %s that fails leaves nothing that looks whole',
  async (part) => {
    const { root, prepare, cached } = aProject();
    const options = {
      root,
      cacheDir: join(root, '.cache'),
      settings: {},
      bundle: async (bundlesDir: string) => mkdirSync(bundlesDir),
      synth: async ({ outdir }: SynthTarget) => mkdirSync(outdir),
    };
    const failing = prepareAssembly({
      ...options,
      [part]: async (target: string | SynthTarget) => {
        mkdirSync(typeof target === 'string' ? target : target.outdir);
        throw new Error('does not compile');
      },
    });
    await expect(failing).rejects.toThrow('does not compile');
    expect(cached().filter((name) => !name.startsWith('bundles-') || part === 'bundle')).toEqual(
      [],
    );
    expect(existsSync(await prepare())).toBe(true);
  },
);

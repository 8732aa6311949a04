import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { prepareAssembly, type BuildTarget } from '../../../local/build.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

function aProject() {
  const root = temporaryFolder('build');
  mkdirSync(join(root, 'core'));
  writeFileSync(join(root, 'core', 'a.ts'), '1');
  const builds: BuildTarget[] = [];
  const prepare = (settings = {}) =>
    prepareAssembly({
      root,
      cacheDir: join(root, '.cache'),
      settings,
      build: async (target) => {
        builds.push(target);
        mkdirSync(target.outdir);
        writeFileSync(join(target.outdir, 'manifest.json'), '{}');
      },
    });
  return { root, builds, prepare, cached: () => readdirSync(join(root, '.cache')) };
}

test('builds once for the same sources and settings', async () => {
  const { builds, prepare } = aProject();
  const first = await prepare();
  expect(await prepare()).toBe(first);
  expect(builds).toHaveLength(1);
  expect(existsSync(join(first, 'manifest.json'))).toBe(true);
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
  expect(cached()).toHaveLength(6);
  const lastWeek = new Date(Date.now() - 8 * 86_400_000);
  for (const name of cached()) utimesSync(join(root, '.cache', name), lastWeek, lastWeek);
  await prepare({ brand: 'd' });
  expect(cached()).toHaveLength(4);
});

test('a build that fails leaves nothing that looks like an assembly', async () => {
  const { root, prepare, cached } = aProject();
  const failing = prepareAssembly({
    root,
    cacheDir: join(root, '.cache'),
    settings: {},
    build: async ({ outdir }) => {
      mkdirSync(outdir);
      throw new Error('does not compile');
    },
  });
  await expect(failing).rejects.toThrow('does not compile');
  expect(cached()).toEqual([]);
  expect(existsSync(await prepare())).toBe(true);
});

import { expect, test } from '@jest/globals';
import { inputFiles, inputsOf, settingsFilesFor } from '../../../scripts/bundle-inputs.ts';

const metafile = {
  inputs: {
    'lambdas/a.ts': { imports: [{ path: 'core/shared.ts' }, { path: 'node:fs', external: true }] },
    'lambdas/b.ts': { imports: [{ path: 'core/only-b.ts' }, { path: 'core/shared.ts' }] },
    'core/shared.ts': { imports: [{ path: 'left-out:/x/ajv-provider.js' }] },
    'core/only-b.ts': { imports: [] },
    'left-out:/x/ajv-provider.js': { imports: [] },
  },
};

test('the inputs of a function are what it reaches, of a build with several', () => {
  expect(inputsOf(metafile, 'lambdas/a.ts')).toEqual(['lambdas/a.ts', 'core/shared.ts']);
  expect(inputsOf(metafile, 'lambdas/b.ts').toSorted()).toEqual([
    'core/only-b.ts',
    'core/shared.ts',
    'lambdas/b.ts',
  ]);
  expect(() => inputsOf(metafile, 'lambdas/c.ts')).toThrow(
    'lambdas/c.ts is not part of the build.',
  );
});

test('modules that a plugin makes up are no files', () => {
  expect(inputFiles(metafile)).not.toContain('left-out:/x/ajv-provider.js');
});

test('settings files above an input count, ours also when they are absent', () => {
  expect(settingsFilesFor(['core/visit/gate.ts', 'node_modules/zod/index.js']).toSorted()).toEqual([
    'core/package.json',
    'core/tsconfig.json',
    'core/visit/package.json',
    'core/visit/tsconfig.json',
    'node_modules/zod/package.json',
    'package.json',
    'tsconfig.json',
  ]);
});

import { readdirSync, readFileSync } from 'node:fs';
import { env } from 'node:process';
import { basicTests } from './test/basic-tests.mjs';

/**
 * What `npm test` leaves out (`npm run test:long`): files that take their size from `proof-size.ts`, at full
 * size, and the other tests on a cloud.
 */
const isLong = env['PROOF_SIZE'] === 'whole';
/** CI runs both, and these files at full size only. */
const isBesideLong = !isLong && env['BESIDE_LONG'] === 'yes';
const proofs = readdirSync(new URL('test', import.meta.url), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts') && takesProofSize(file))
  .map((file) => `<rootDir>/test/${file}`);

function takesProofSize(file) {
  const text = readFileSync(new URL(`test/${file}`, import.meta.url), 'utf8');
  return text.includes("/proof-size.ts'");
}

/** A regular expression of one file's path. */
function pathPattern(file) {
  return `${file.replaceAll('.', String.raw`\.`)}$`;
}

/** Globs of tests without a cloud; in a long run, only the long proofs of them. */
function testsIn(folders, others = []) {
  const all = [...folders.map((folder) => `<rootDir>/test/${folder}/**/*.test.ts`), ...others];
  if (!isLong) return all;
  const isInside = (file) => folders.some((folder) => file.startsWith(`<rootDir>/test/${folder}/`));
  // Without a glob, Jest would take every file.
  return ['<rootDir>/none', ...proofs.filter(isInside)];
}

/** Modules are evaluated once in a worker, not once for each test file. */
const sharedModules = {
  testEnvironment: '<rootDir>/test/shared-modules/environment.mjs',
  testRunner: '<rootDir>/test/shared-modules/run-file.mjs',
};

const shared = {
  testEnvironment: 'node',
  testRunner: '<rootDir>/test/shared-modules/run-file-apart.mjs',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2023',
          parser: { syntax: 'typescript' },
          experimental: { keepImportAttributes: true },
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  testPathIgnorePatterns: isBesideLong ? proofs.map(pathPattern) : [],
  modulePathIgnorePatterns: [
    '<rootDir>/.slipway',
    '<rootDir>/cdk.out',
    '<rootDir>/artefacts',
    '<rootDir>/test/clients/node_modules',
  ],
};

/** `unit` needs nothing running; `infra` synthesizes; `local` runs parts of the local cloud in the test's process; `cloud` starts the local cloud, and so does `basic`, a part of it; `browser` drives Chromium as well, `clients` other people's MCP clients (Node 22.19); `readme` runs the README's commands in a clone. */
/** @type {import('jest').Config} */
const config = {
  // CI has two cores. Tests that wait for a cloud leave some of them idle.
  maxWorkers: 3,
  // Long, so that a slow machine does not fail tests. Tests of performance count calls instead of
  // measuring time.
  testTimeout: isLong ? 600_000 : 60_000,
  testSequencer: '<rootDir>/test/long-first.mjs',
  reporters: ['default', '<rootDir>/test/reporter.mjs'],
  projects: [
    {
      ...shared,
      ...sharedModules,
      displayName: 'unit',
      testMatch: testsIn(['unit', 'agreement']),
    },
    {
      ...shared,
      ...sharedModules,
      displayName: 'infra',
      testMatch: testsIn(['infra']),
      globalSetup: '<rootDir>/test/infra/start-infra.ts',
      globalTeardown: '<rootDir>/test/infra/stop-infra.ts',
    },
    {
      ...shared,
      ...sharedModules,
      displayName: 'local',
      testMatch: testsIn(['ports'], ['<rootDir>/local/test/**/*.test.ts']),
    },
    {
      ...shared,
      ...sharedModules,
      displayName: 'basic',
      testMatch: basicTests,
      globalSetup: '<rootDir>/test/start-cloud.ts',
      globalTeardown: '<rootDir>/test/stop-cloud.ts',
    },
    {
      ...shared,
      ...sharedModules,
      displayName: 'cloud',
      testMatch: ['integration', 'e2e', 'agents'].map(
        (folder) => `<rootDir>/test/${folder}/**/*.test.ts`,
      ),
      testPathIgnorePatterns: isLong ? basicTests : [],
      globalSetup: '<rootDir>/test/start-cloud.ts',
      globalTeardown: '<rootDir>/test/stop-cloud.ts',
    },
    {
      ...shared,
      ...sharedModules,
      displayName: 'browser',
      testMatch: ['<rootDir>/test/browser/**/*.test.ts'],
      globalSetup: '<rootDir>/test/start-cloud.ts',
      globalTeardown: '<rootDir>/test/stop-cloud.ts',
    },
    { ...shared, displayName: 'readme', testMatch: ['<rootDir>/test/readme/**/*.test.ts'] },
    {
      ...shared,
      displayName: 'clients',
      testMatch: ['<rootDir>/test/clients/*.test.ts'],
      globalSetup: '<rootDir>/test/start-cloud.ts',
      globalTeardown: '<rootDir>/test/stop-cloud.ts',
    },
  ],
};

export default config;

const shared = {
  testEnvironment: 'node',
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
  modulePathIgnorePatterns: [
    '<rootDir>/.slipway',
    '<rootDir>/cdk.out',
    '<rootDir>/artefacts',
    '<rootDir>/test/clients/node_modules',
  ],
};

/** `unit` needs nothing running; `cloud` starts the local cloud; `browser` drives Chromium as well, `clients` other people's MCP clients (Node 22.19). */
/** @type {import('jest').Config} */
const config = {
  // Most tests wait for a cloud: one for each core, as CI has two.
  maxWorkers: 2,
  // A slow machine is no failure; what is to be quick is counted, not timed.
  testTimeout: 60_000,
  reporters: ['default', '<rootDir>/test/plain-summary.mjs'],
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['<rootDir>/test/{unit,infra,agreement,ports}/**/*.test.ts'],
    },
    {
      ...shared,
      displayName: 'cloud',
      testMatch: ['<rootDir>/test/{integration,e2e}/**/*.test.ts'],
      globalSetup: '<rootDir>/test/start-cloud.ts',
      globalTeardown: '<rootDir>/test/stop-cloud.ts',
    },
    {
      ...shared,
      displayName: 'browser',
      testMatch: ['<rootDir>/test/browser/**/*.test.ts'],
      globalSetup: '<rootDir>/test/start-cloud.ts',
      globalTeardown: '<rootDir>/test/stop-cloud.ts',
    },
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

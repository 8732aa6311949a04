/** Every file of `lambdas/` that `lib/` bundles stands in one of these folders. */
const functions =
  'accounts,claims,domains,mcp,oauth,operators,projects,system,uploads,viewer-assets,visitor-forms,visits,web-app,webhooks,workers';

/**
 * The first run counts tests as entries. The second, with `--production`, does not: it finds exports that
 * tests alone use. Those that their own file uses too stay: a test may reach a part of it.
 */
export default ({ production = false }) => ({
  entry: [
    'bin/*.ts!',
    'cli/main.ts!',
    'bin/{doctor/doctor,smoke/smoke,stages/stage}.ts!',
    `lambdas/{${functions}}/*.ts!`,
    'lib/*/*.js!',
    'web/viewers/*.ts!',
    'web/viewers/frames/*.ts!',
    'web/app/main.tsx!',
    'web/app/start.ts!',
    'web/app/page-scripts/main.ts!',
    'scripts/*.ts!',
    'scripts/web-app/build-web-app.ts!',
    'local/lambda/worker.mjs!',
    'test/**/*.test.ts',
    'local/test/**/*.test.ts',
    'test/{start-cloud,stop-cloud}.ts',
    'test/shared-modules/*.mjs',
    'test/attacks/*.ts',
    'test/bench/gate/*.ts',
  ],
  project: [
    '{bin,cli,contract,core,adapters,lambdas,lib,local,web,scripts}/**/*.{ts,tsx,js,mjs}!',
    '!local/test/**!',
    'test/**/*.{ts,tsx,js,mjs}',
  ],
  // Of util-linux: the terminal of a test.
  ignoreBinaries: ['script'],
  ignoreExportsUsedInFile: production || { interface: true, type: true },
});

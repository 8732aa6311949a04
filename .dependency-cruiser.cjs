/** Layers are the root folders; what is not listed here may not be imported. */
const layers = {
  contract: { folders: [], packages: ['zod'], node: false },
  core: {
    folders: ['contract'],
    packages: [
      'zod',
      'mime',
      'qrcode',
      '@types/qrcode',
      'parse5-html-rewriting-stream',
      'parse5-sax-parser',
      'isbot',
      'jsonc-parser',
      'smol-toml',
      'bowser',
      'tldts',
      'jose',
    ],
    node: true,
  },
  adapters: {
    folders: ['core', 'contract'],
    packages: ['zod', '@aws-sdk/[^/]+', 'dns-packet', '@types/dns-packet', 'jose'],
    node: true,
  },
  web: { folders: ['core', 'contract'], packages: [], node: true },
  'web/viewers': {
    folders: [],
    packages: [
      'pdfjs-dist',
      'docx-preview',
      '@aiden0z/pptx-renderer',
      'three',
      '@types/three',
      '@e965/xlsx',
      'utif2',
      '@jsquash/jxl',
      'libheif-js',
      'hyparquet',
      'hyparquet-compressors',
      '@uwdata/flechette',
      'fzstd',
      'parse5',
      'sql.js',
      '@mermaid-js/tiny',
    ],
    node: false,
  },
  'web/text': {
    folders: ['web/pages'],
    packages: [
      'highlight.js',
      'markdown-it',
      'markdown-it-emoji',
      'markdown-it-footnote',
      'hast-util-from-parse5',
      'parse5',
      'hast-util-sanitize',
      'hast-util-to-html',
      '@types/hast',
      'temml',
    ],
    node: true,
  },
  // Of the contract and core only types, beside the rule about hidden files; a test holds the built files to their size.
  'web/app': {
    folders: ['contract', 'web/ui', 'core/content/left-out/sift-paths.ts'],
    packages: [
      'zod',
      'react',
      'react-dom',
      '@types/react',
      '@types/react-dom',
      '@tanstack/[^/]+',
      '@visx/[^/]+',
      '@jest/diff-sequences',
      'jszip',
    ],
    node: false,
  },
  'web/ui': {
    folders: ['web/app'],
    packages: ['react', '@types/react', '@tanstack/[^/]+'],
    node: false,
  },
  lambdas: {
    folders: ['adapters', 'core', 'contract', 'web/pages', 'web/mail', 'docs'],
    packages: [
      'zod',
      'busboy',
      '@middy/core',
      '@aws-lambda-powertools/[^/]+',
      '@modelcontextprotocol/(sdk|server)',
      '@types/aws-lambda',
      '@types/busboy',
    ],
    node: true,
  },
  lib: { folders: ['contract'], packages: ['zod', 'aws-cdk-lib', 'constructs'], node: true },
  // It stands alone, so that it can be taken out as a package: `bin/local.ts` hands it what it runs.
  local: { folders: [], packages: ['zod', 'dns-packet', '@types/dns-packet'], node: true },
  'local/test': {
    folders: ['local'],
    packages: [
      '@jest/globals',
      'fast-check',
      '@aws-sdk/[^/]+',
      '@smithy/[^/]+',
      'dns-packet',
      '@types/dns-packet',
    ],
    node: true,
  },
  scripts: {
    folders: ['lib', 'contract', 'web/styles'],
    packages: ['zod', 'esbuild', 'vite', 'isbot', 'crawler-user-agents', 'jszip'],
    node: true,
  },
  // Of the web app what calls the API and formats figures: neither needs a browser.
  cli: {
    folders: ['contract', 'core', 'web/app/api', 'web/app/texts'],
    packages: [],
    node: true,
  },
  bin: {
    folders: ['lib', 'local', 'scripts', 'adapters', 'core', 'contract', 'cli/export'],
    packages: ['zod'],
    node: true,
  },
};

const allowed = Object.entries(layers).flatMap(([layer, { folders, packages, node }]) => [
  { from: { path: `^${layer}/` }, to: { path: [layer, ...folders].map((f) => `^${f}/`) } },
  ...(packages.length === 0
    ? []
    : [
        {
          from: { path: `^${layer}/` },
          to: { path: packages.map((name) => `(^|/)node_modules/${name}(/|$)`) },
        },
      ]),
  ...(node ? [{ from: { path: `^${layer}/` }, to: { dependencyTypes: ['core'] } }] : []),
]);

module.exports = {
  forbidden: [
    {
      name: 'no-unresolved',
      severity: 'error',
      from: {},
      // Modules that the build of the web app makes (scripts/web-app/build-web-app.ts).
      to: { couldNotResolve: true, pathNot: '^virtual:' },
    },
    {
      name: 'tests-stay-out-of-local',
      comment: 'what `npm start` runs needs none of the local cloud’s tests',
      severity: 'error',
      from: { path: '^(bin|local)/', pathNot: '^local/test/' },
      to: { path: '^local/test/' },
    },
    {
      name: 'no-circular',
      comment: 'imports of types included: a type moves to where both sides look',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'aws-sdk-only-in-adapters',
      comment: 'nobody but the adapters sees the SDK',
      severity: 'error',
      from: {
        path: '^(contract|core|web|lambdas|lib|local|bin|scripts)/',
        pathNot: '^local/test/',
      },
      to: { path: 'node_modules/@aws-sdk/' },
    },
    {
      name: 'mails-carry-the-stop-link',
      comment: 'mails go through account-mail, which adds the link that stops a deletion',
      severity: 'error',
      from: { path: '^lambdas/', pathNot: '^lambdas/shared/account-mail[.]ts$' },
      to: { path: '^adapters/ses/' },
    },
    {
      name: 'shared-rooms-know-no-feature',
      comment: 'what all functions share imports no function’s own room',
      severity: 'error',
      from: { path: '^lambdas/(http|shared)/' },
      to: { path: '^lambdas/', pathNot: '^lambdas/(http|shared)/' },
    },
    {
      name: 'unit-tests-start-no-service',
      comment:
        'a test that starts a database, a bucket or a queue belongs to test/ports or test/integration',
      severity: 'error',
      from: { path: '^test/unit/' },
      to: {
        path: '^local/(http/service-server|dynamodb/dynamodb|s3/s3-server)[.]ts$',
        reachable: true,
      },
    },
  ],
  allowed: [
    ...allowed,
    { from: { path: '^test/' }, to: {} },
    { from: { path: '^(web/app|cli|lambdas/system)/' }, to: { path: '^virtual:' } },
  ],
  allowedSeverity: 'error',
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    // Its parser reads no JSX. What the files beside them import is checked.
    exclude: { path: '[.]tsx$' },
    moduleSystems: ['es6'],
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.d.ts', '.json'],
    },
  },
};

import { readFileSync } from 'node:fs';

/**
 * Checks both lock files: every native package must be there for Linux, macOS and Windows, and no
 * registry except the public default may be named.
 */
interface LockEntry {
  version?: string;
  resolved?: string;
  optionalDependencies?: Record<string, string>;
}

type Packages = Record<string, LockEntry>;

/** The tools with a binary for each platform, by lock file. */
const nativeTools = {
  'package-lock.json': [
    'esbuild',
    '@swc/core',
    '@biomejs/biome',
    'oxlint',
    'oxlint-tsgolint',
    'typescript',
    'rolldown',
    'lightningcss',
  ],
  'test/clients/package-lock.json': [],
};
const platforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64'];

function missingPlatforms(packages: Packages, tool: string): string[] {
  const wanted = Object.entries(packages[`node_modules/${tool}`]?.optionalDependencies ?? {});
  return platforms.filter(
    (platform) =>
      !wanted.some(
        ([name, version]) =>
          name.includes(platform) && packages[`node_modules/${name}`]?.version === version,
      ),
  );
}

/** Optional packages that the lock file does not contain, which makes `npm ci` fail. */
function missingOptional(packages: Packages, name: string): string[] {
  return Object.keys(packages[name]?.optionalDependencies ?? {})
    .filter((other) => {
      const nested = packages[`${name}/node_modules/${other}`];
      return nested === undefined && packages[`node_modules/${other}`] === undefined;
    })
    .map((other) => `${name} needs ${other}`);
}

function findingsIn(packages: Packages, tools: readonly string[]): string[] {
  return [
    ...tools.flatMap((tool) =>
      missingPlatforms(packages, tool).map((platform) => `${tool} has no package for ${platform}`),
    ),
    ...Object.keys(packages).flatMap((name) => missingOptional(packages, name)),
    ...Object.entries(packages)
      .filter(
        ([, { resolved }]) => !/^(?:https:\/\/registry\.npmjs\.org\/.*)?$/.test(resolved ?? ''),
      )
      .map(([name, { resolved }]) => `${name} comes from ${resolved}`),
  ];
}

for (const [path, tools] of Object.entries(nativeTools)) {
  const { packages }: { packages: Packages } = JSON.parse(
    readFileSync(new URL(`../${path}`, import.meta.url), 'utf8'),
  );
  const findings = findingsIn(packages, tools);
  for (const finding of findings) console.error(`${path}: ${finding}`);
  if (findings.length > 0) process.exitCode = 1;
  else console.log(`${path}: ${Object.keys(packages).length} packages, none missing`);
}

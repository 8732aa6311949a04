import { readFileSync } from 'node:fs';

/**
 * Holds package-lock.json to serve everybody: every native package is there for Linux, macOS and
 * Windows, and no registry is named but the public default.
 */
interface LockEntry {
  version?: string;
  resolved?: string;
  optionalDependencies?: Record<string, string>;
}

const lock: { packages: Record<string, LockEntry> } = JSON.parse(
  readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'),
);

/** The tools that bring a binary for each platform, and the platforms people develop on. */
const nativeTools = [
  'esbuild',
  '@swc/core',
  '@biomejs/biome',
  'oxlint',
  'oxlint-tsgolint',
  'typescript',
  'rollup',
];
const platforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64'];

function missingPlatforms(tool: string): string[] {
  const wanted = Object.entries(lock.packages[`node_modules/${tool}`]?.optionalDependencies ?? {});
  return platforms.filter(
    (platform) =>
      !wanted.some(
        ([name, version]) =>
          name.includes(platform) && lock.packages[`node_modules/${name}`]?.version === version,
      ),
  );
}

/** Optional packages that a package names and the lock file lacks: `npm ci` refuses those. */
function missingOptional(name: string, { optionalDependencies = {} }: LockEntry): string[] {
  return Object.keys(optionalDependencies)
    .filter((other) => {
      const nested = lock.packages[`${name}/node_modules/${other}`];
      return nested === undefined && lock.packages[`node_modules/${other}`] === undefined;
    })
    .map((other) => `${name} needs ${other}`);
}

const entries = Object.entries(lock.packages);
const findings = [
  ...nativeTools.flatMap((tool) =>
    missingPlatforms(tool).map((platform) => `${tool} has no package for ${platform}`),
  ),
  ...entries.flatMap(([name, entry]) => missingOptional(name, entry)),
  ...entries
    .filter(([, { resolved }]) => !/^(?:https:\/\/registry\.npmjs\.org\/.*)?$/.test(resolved ?? ''))
    .map(([name, { resolved }]) => `${name} comes from ${resolved}`),
];

for (const finding of findings) console.error(`package-lock.json: ${finding}`);
if (findings.length > 0) process.exit(1);
console.log(`package-lock.json: ${entries.length} packages, none missing on any platform`);

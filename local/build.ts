import { createHash, type Hash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';

/** What a synthesis of the app is told. */
export interface SynthTarget {
  settings: Record<string, unknown>;
  /** The bundled functions, which are the same for all settings. */
  bundlesDir: string;
  /** Where the cloud assembly goes. */
  outdir: string;
}

export interface AssemblyOptions {
  settings: Record<string, unknown>;
  /** The root of the sources. */
  root: string;
  /** Holds the bundles and one assembly for every state of the sources that was started lately. */
  cacheDir: string;
  /** Bundles the functions; slow, so it is only called for sources that are new. */
  bundle(bundlesDir: string): Promise<void>;
  /** Synthesizes the app; slow as well, and only called for sources or settings that are new. */
  synth(target: SynthTarget): Promise<void>;
}

/** Everything that bundles and templates are made of. */
const SOURCES = [
  'adapters',
  'cdk.json',
  'contract',
  'core',
  'lambdas',
  'lib',
  'package-lock.json',
  'scripts',
  'web',
];

const KEPT = 8;

/** An assembly that was started later may still be running: its bundles are loaded when they are needed. */
const RUNNING_MS = 7 * 86_400_000;

/** A build that is older is no longer running. */
const ABANDONED_MS = 3_600_000;

function addTo(hash: Hash, root: string, path: string): void {
  const full = join(root, path);
  if (!existsSync(full)) return;
  if (statSync(full).isDirectory()) {
    for (const name of readdirSync(full).toSorted()) addTo(hash, root, join(path, name));
    return;
  }
  const bytes = readFileSync(full);
  hash.update(`${path}\0${bytes.length}\0`).update(bytes);
}

function hashOf(root: string): string {
  const hash = createHash('sha256');
  for (const path of SOURCES) addTo(hash, root, path);
  return hash.digest('hex').slice(0, 24);
}

function prune(cacheDir: string, current: string): void {
  const entries = readdirSync(cacheDir)
    .filter((name) => name !== current)
    .map((name) => ({ name, usedAt: statSync(join(cacheDir, name)).mtimeMs }))
    .toSorted((a, b) => b.usedAt - a.usedAt);
  const isAbandoned = (usedAt: number) => Date.now() - usedAt > ABANDONED_MS;
  const builds = entries.filter(
    ({ name, usedAt }) => name.startsWith('new-') && isAbandoned(usedAt),
  );
  const old = entries
    .filter(({ name }) => !name.startsWith('new-'))
    .slice(KEPT - 1)
    .filter(({ usedAt }) => Date.now() - usedAt > RUNNING_MS);
  for (const { name } of [...builds, ...old])
    rmSync(join(cacheDir, name), { recursive: true, force: true });
}

/**
 * A directory of this name, which is made once: in another one that gets the name when it is whole,
 * so that a crash leaves no half of one.
 */
async function kept(
  cacheDir: string,
  name: string,
  make: (draft: string) => Promise<void>,
): Promise<string> {
  const finished = join(cacheDir, name);
  if (existsSync(finished)) {
    const now = new Date();
    utimesSync(finished, now, now);
    return finished;
  }
  const draft = join(cacheDir, `new-${name}-${process.pid}`);
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  try {
    const made = join(draft, 'made');
    await make(made);
    // Two first starts at once make the same thing; the second one uses what the first one named.
    if (!existsSync(finished)) renameSync(made, finished);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  prune(cacheDir, name);
  return finished;
}

/** The directory of the cloud assembly for these sources and settings. */
export async function prepareAssembly(options: AssemblyOptions): Promise<string> {
  const { cacheDir, root, settings } = options;
  const sources = hashOf(root);
  const name = createHash('sha256').update(sources).update(JSON.stringify(settings));
  return kept(cacheDir, name.digest('hex').slice(0, 24), async (outdir) => {
    const bundlesDir = await kept(cacheDir, `bundles-${sources}`, (made) => options.bundle(made));
    await options.synth({ settings, bundlesDir, outdir });
  });
}

import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The part of esbuild's metadata that says what was read. */
interface Inputs {
  inputs: { [file: string]: { imports: { path: string; external?: boolean }[] } };
}

/** The files that were read, without the modules that plugins make up (`left-out:…`). */
export function inputFiles({ inputs }: Inputs): string[] {
  return Object.keys(inputs).filter((file) => !/^\(?[a-z-]+\)?:/.test(file));
}

/**
 * The files that one entry depends on, in a build with several: also those of which nothing is left in
 * the bundle, because a change could put it there.
 */
export function inputsOf({ inputs }: Inputs, entry: string): string[] {
  const reached = new Set([entry]);
  for (const file of reached) {
    for (const one of inputs[file]?.imports ?? []) if (one.external !== true) reached.add(one.path);
  }
  const files = [...reached].filter((file) => file in inputs);
  if (!files.includes(entry)) throw new Error(`${entry} is not part of the build.`);
  const kept = Object.fromEntries(files.map((file) => [file, inputs[file] ?? { imports: [] }]));
  return inputFiles({ inputs: kept });
}

/**
 * The settings files that esbuild looks for beside its inputs and above them. Those of our own folders
 * count even if they are absent, because somebody may add one.
 */
export function settingsFilesFor(files: Iterable<string>): string[] {
  const folders = new Set<string>(['.']);
  for (const file of files) {
    for (let dir = path.dirname(file); dir !== '.'; dir = path.dirname(dir)) folders.add(dir);
  }
  return [...folders].flatMap((dir) => {
    const names = ['package.json', 'tsconfig.json'].map((name) => path.join(dir, name));
    const isOurs = !dir.includes('node_modules');
    return isOurs ? names : names.filter((name) => existsSync(path.join(root, name)));
  });
}

/** A folder with all that is in it: a new file may be found by an import that found another one before. */
export function filesIn(folder: string): string[] {
  const entries = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' });
  return [folder, ...entries.map((entry) => path.join(folder, entry))];
}

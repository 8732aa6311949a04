import path from 'node:path';

/** esbuild's metadata of output files, by path. */
interface Outputs {
  [file: string]: { imports: { path: string; kind: string; external?: boolean }[] };
}

/** The files that importing `entry` reads: itself and, recursively, every chunk that is imported statically. */
export function loadedAtOnce(outputs: Outputs, entry: string): string[] {
  const files = new Map(Object.entries(outputs).map(([file, out]) => [path.resolve(file), out]));
  const loaded = new Set([path.resolve(entry)]);
  for (const file of loaded) {
    for (const one of files.get(file)?.imports ?? []) {
      const isChunk = one.kind === 'import-statement' && one.external !== true;
      if (isChunk) loaded.add(path.resolve(one.path));
    }
  }
  return [...loaded];
}

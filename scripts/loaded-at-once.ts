import path from 'node:path';

/** What esbuild tells of a written file, by its path from the root of the project. */
interface Outputs {
  [file: string]: { imports: { path: string; kind: string; external?: boolean }[] };
}

/** The files that importing `entry` reads: itself and every chunk that one of them imports at once. */
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

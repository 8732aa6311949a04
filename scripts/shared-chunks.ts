import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Metafile } from 'esbuild';
import { linkFile } from './link-files.ts';

/** The files of a build that one of its entries may load, now or later, relative to the root. */
export function chunksOf({ outputs }: Pick<Metafile, 'outputs'>, entry: string): string[] {
  const reached = new Set([entry]);
  for (const file of reached) {
    for (const { path: imported, external } of outputs[file]?.imports ?? []) {
      if (external !== true) reached.add(imported);
    }
  }
  return [...reached];
}

/**
 * Gives each function of one build a folder of its own, `<outDir>/<name>`, with its entry as `index.mjs` and
 * the chunks that it may load. The build has an entry `<name>.mjs` for each, beside the chunks, in `madeIn`,
 * which is deleted.
 * @param root what the paths in the metafile are relative to
 */
export function separateFunctions(
  { root, madeIn, outDir }: { root: string; madeIn: string; outDir: string },
  names: readonly string[],
  metafile: Pick<Metafile, 'outputs'>,
): void {
  for (const name of names) {
    const entry = path.relative(root, path.join(madeIn, `${name}.mjs`));
    for (const output of chunksOf(metafile, entry.replaceAll(path.sep, '/'))) {
      const file = path.join(root, output);
      const own = path.join(
        outDir,
        name,
        output.endsWith(`/${name}.mjs`) ? 'index.mjs' : path.basename(file),
      );
      linkFile(file, own);
      const map = `${file}.map`;
      if (existsSync(map)) linkFile(map, path.join(outDir, name, path.basename(map)));
    }
  }
  rmSync(madeIn, { recursive: true });
}

import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * The licence files of all packages that these files belong to, by the package's folder. All paths are
 * relative to the repository.
 */
export async function noticesOf(files: Iterable<string>): Promise<Map<string, string[]>> {
  const packages = new Set(
    [...files].flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []),
  );
  const found = [...packages].toSorted().map(async (folder) => {
    const files = await noticesIn(path.join(root, folder));
    return [folder, files.map((file) => path.relative(root, file))] as const;
  });
  return new Map(await Promise.all(found));
}

/** The texts of licence files, under the names of their packages. */
export async function licencesIn(notices: ReadonlyMap<string, string[]>): Promise<string> {
  const texts = [...notices].map(async ([folder, files]) => {
    const licences = files.map((file) => readFile(path.join(root, file), 'utf8'));
    return [folder.replace(/^.*node_modules\//, ''), ...(await Promise.all(licences))].join('\n\n');
  });
  return (await Promise.all(texts)).join(`\n\n${'-'.repeat(72)}\n\n`);
}

/** Licence and notice files at the top of a package or in a licence folder. */
async function noticesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const found = entries.filter(({ name }) => /^(?:licen[cs]e|notice|third.party)/i.test(name));
  const files = found.filter((entry) => entry.isFile()).map(({ name }) => path.join(folder, name));
  const more = found
    .filter((entry) => entry.isDirectory())
    .map(async ({ name }) =>
      (await readdir(path.join(folder, name))).map((file) => path.join(folder, name, file)),
    );
  return [...files, ...(await Promise.all(more)).flat()];
}

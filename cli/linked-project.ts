import { mkdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { usageError } from './command-error.ts';
import { leadsOut } from './local-files.ts';

/** What `.slipway/project.json` remembers of a folder: which project its files are. It holds no secret. */
export interface LinkedProject {
  /** The address of the installation. */
  service: string;
  projectId: string;
  url: string;
  /** The paths that were published, as they were typed. */
  paths: readonly string[];
}

function fileIn(folder: string): string {
  return path.join(folder, '.slipway', 'project.json');
}

/** The project that a folder is linked to at an installation. */
export async function linkedProject(
  folder: string,
  service: string,
): Promise<LinkedProject | undefined> {
  try {
    const linked: LinkedProject = JSON.parse(await readFile(fileIn(folder), 'utf8'));
    return linked.service === service ? linked : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The paths that are published without operands: those of the last time, or all of the folder. Those outside of it have
 * to be typed: the folder, and what it remembers, may be somebody else's.
 * @throws CommandError for a path outside of the folder
 */
export function linkedPaths(
  folder: string,
  linked: Pick<LinkedProject, 'paths'> | undefined,
): readonly string[] {
  const paths = linked?.paths ?? ['.'];
  const outside = paths.find((one) => leadsOut(path.relative(folder, path.resolve(folder, one))));
  if (outside === undefined) return paths;
  throw usageError(
    `Last time, this folder was published from ${outside}, which is outside of this folder.`,
    `If you want that again, run: slipway publish ${paths.join(' ')}`,
  );
}

/**
 * Links a folder to a project. It writes into no other folder: `.slipway` and its file may be links of somebody else.
 * @throws CommandError
 */
export async function linkProject(folder: string, linked: LinkedProject): Promise<void> {
  const file = fileIn(folder);
  const own = path.dirname(file);
  await mkdir(own, { recursive: true });
  if ((await realpath(own)) !== path.join(await realpath(folder), '.slipway')) {
    throw usageError(`${own} is a link.`, 'Delete it, then run the same command again.');
  }
  const draft = `${file}.${process.pid}`;
  await rm(draft, { force: true });
  await writeFile(draft, `${JSON.stringify(linked, null, 2)}\n`, { flag: 'wx' });
  await rename(draft, file);
}

/** Forgets the project of a folder; the project stays. */
export async function unlinkProject(folder: string): Promise<void> {
  await rm(fileIn(folder), { force: true });
}

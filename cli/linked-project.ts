import { constants } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { parseRecord } from '../core/json.ts';
import { projectFile } from './code-settings.ts';
import { usageError } from './command-error.ts';
import { leadsOut } from './local-files.ts';
import { folderWithin, replaceJson } from './replace-file.ts';

/** What `.slipway/project.json` remembers of a folder: which project its files are. It holds no secret. */
export interface LinkedProject {
  service: string;
  projectId: string;
  url: string;
  /** The paths that were published, as they were typed. */
  paths: readonly string[];
}

const linkNames: readonly string[] = ['service', 'projectId', 'url', 'paths'];

function fileIn(folder: string): string {
  return path.join(folder, '.slipway', 'project.json');
}

/**
 * What `.slipway/project.json` of a folder holds; nothing where there is none. A link is not followed: it may be
 * somebody else's, and lead to any file.
 * @throws CommandError for a file that is no JSON object
 */
export async function readProjectFile(folder: string): Promise<Record<string, unknown>> {
  let text: string;
  try {
    const flag = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0);
    text = await readFile(fileIn(folder), { encoding: 'utf8', flag });
  } catch {
    return {};
  }
  const written = parseRecord(text);
  if (written !== undefined) return written;
  throw usageError(`${projectFile} is not a JSON object.`, 'Correct it, or delete it.');
}

/** The project that a folder is linked to at an installation; none where its file cannot be read. */
export async function linkedProject(
  folder: string,
  service: string,
): Promise<LinkedProject | undefined> {
  const written = await readProjectFile(folder).catch(() => ({}));
  return isLinked(written) && written.service === service ? written : undefined;
}

function isLinked(written: object): written is LinkedProject {
  const { service, projectId, url, paths }: Partial<Record<keyof LinkedProject, unknown>> = written;
  return (
    [service, projectId, url].every((one) => typeof one === 'string') &&
    Array.isArray(paths) &&
    paths.every((one) => typeof one === 'string')
  );
}

/**
 * The paths that are published without operands: those of the last time, also where the folder is linked to no project
 * any more, or all of the folder. Those outside of it have to be typed: the folder, and what it remembers, may be
 * somebody else's.
 * @throws CommandError for a path outside of the folder
 */
export async function lastPaths(folder: string): Promise<readonly string[]> {
  const paths = pathsIn(await readProjectFile(folder)) ?? ['.'];
  const outside = paths.find((one) => leadsOut(path.relative(folder, path.resolve(folder, one))));
  if (outside === undefined) return paths;
  throw usageError(
    `Last time, this folder was published from ${outside}, which is outside of this folder.`,
    `If you want that again, run: slipway publish ${paths.join(' ')}`,
  );
}

/**
 * Links a folder to a project; the settings in its file stay. It writes into no other folder: `.slipway` and its file
 * may be links of somebody else.
 * @throws CommandError
 */
export async function linkProject(folder: string, linked: LinkedProject): Promise<void> {
  const { service, projectId, url, paths } = linked;
  await writeProjectFile(folder, { service, projectId, url, paths, ...(await settingsIn(folder)) });
}

/**
 * Forgets the project of a folder; the project and the settings stay, and so do the paths: whoever published a part of
 * the folder does not mean all of it.
 */
export async function unlinkProject(folder: string): Promise<void> {
  const paths = pathsIn(await readProjectFile(folder));
  const settings = { ...(paths !== undefined && { paths }), ...(await settingsIn(folder)) };
  if (Object.keys(settings).length === 0) await rm(fileIn(folder), { force: true });
  else await writeProjectFile(folder, settings);
}

/** The paths that a file remembers; nothing where that is all of the folder. */
function pathsIn({ paths }: Record<string, unknown>): string[] | undefined {
  const isList = Array.isArray(paths) && paths.every((one) => typeof one === 'string');
  return isList && paths.some((one) => one !== '.') ? paths : undefined;
}

async function settingsIn(folder: string): Promise<Record<string, unknown>> {
  const written = Object.entries(await readProjectFile(folder));
  return Object.fromEntries(written.filter(([name]) => !linkNames.includes(name)));
}

async function writeProjectFile(folder: string, content: object): Promise<void> {
  await folderWithin(folder, '.slipway');
  await replaceJson(fileIn(folder), content);
}

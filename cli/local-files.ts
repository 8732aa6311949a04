import { type Stats, statSync } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { ignoredPaths } from '../core/content/left-out/ignore-patterns.ts';
import {
  findIgnoreFile,
  ignoreFilePath,
  isHidden,
  type SiftedPaths,
  siftPaths,
} from '../core/content/left-out/sift-paths.ts';
import { type CommandError, usageError } from './command-error.ts';
import { type CodeFiles, projectFile } from './code-settings.ts';
import { type LocalFile, madeFile, readFileOf } from './local-file.ts';

/** What a command line publishes. */
export interface LocalFiles {
  /** Names a new project. */
  name: string;
  /** Sent: what is published, and the ignore file, which the service applies and drops. */
  files: LocalFile[];
  /** Without the ignore file and what it names, by their paths on the site. */
  published: LocalFile[];
  /** Paths that are not published. */
  leftOut: readonly string[];
  /** Whether all of it is one ZIP, which the service unpacks. */
  isArchive: boolean;
}

interface Collecting {
  cwd: string;
  includeHidden: boolean;
  /** Named before it is read: each folder, and the one of each operand, of which only that entry counts. */
  onFolder?: (folder: string, entry?: string) => void;
}

/**
 * The files that operands name: those of a folder below it; several operands beside each other, under their names.
 * Hidden files, packages and what an ignore file or the settings of the code name are left out, by the rule of the
 * service.
 * @throws CommandError for a path that does not exist, for a link to what has to be named, and for a name that stands
 * twice
 */
export async function collectFiles(
  operands: readonly string[],
  code: CodeFiles,
  { cwd, includeHidden, onFolder = () => {} }: Collecting,
): Promise<LocalFiles> {
  const hidden: string[] = [];
  const walk = { cwd, isAlone: operands.length === 1, includeHidden, hidden, onFolder };
  const files = (await Promise.all(operands.map((one) => filesOf(one, walk))))
    .flat()
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const twice = files.find(({ path: one }, index) => files[index + 1]?.path === one);
  if (twice !== undefined) throw usageError(`Two files would be published as ${twice.path}.`);
  if (files.length === 0) throw nothingToPublish(operands, hidden);
  const { kept, leftOut, topFolder, ignoreFile } = await sift(files, code, includeHidden);
  const isKept = new Set(kept);
  const published = files
    .filter((file) => isKept.has(file.path))
    .map((file) => ({ ...file, path: file.path.slice(topFolder.length) }));
  const isArchive = published.length === 1 && /\.zip$/i.test(published[0]?.path ?? '');
  requireNoRules(code, { published, isArchive });
  const sent = files
    .filter((file) => isKept.has(file.path) || ignoreFilePath.test(file.path))
    .map((file) => (file.path === ignoreFile?.path ? ignoreFile : file));
  return {
    name: nameOf(operands[0] ?? '.', cwd),
    files: [...sent, ...code.rules.map((file) => ({ ...file, path: topFolder + file.path }))],
    published: [...published, ...code.rules],
    leftOut: [...hidden, ...leftOut],
    isArchive,
  };
}

/**
 * The rule of the service (`core/content/left-out/leave-out.ts`), without its schemas. The patterns of the code's
 * settings follow those of the ignore file, which the service gets with both.
 */
async function sift(
  files: readonly LocalFile[],
  { ignore }: CodeFiles,
  includeHidden: boolean,
): Promise<SiftedPaths & { ignoreFile?: LocalFile }> {
  const paths = files.map((file) => file.path);
  if (includeHidden || files.length === 1) return siftPaths(paths, { includeHidden });
  const found = findIgnoreFile(paths);
  const file = files.find((one) => one.path === found?.path);
  if (file === undefined && ignore.length === 0) return siftPaths(paths);
  const folder = found?.folder ?? siftPaths(paths).topFolder;
  const written = file === undefined ? '' : await text(readFileOf(file));
  const patterns = [written, ...ignore].join('\n');
  const below = paths.filter((one) => one.startsWith(folder));
  const ignored = ignoredPaths(
    patterns,
    below.map((one) => one.slice(folder.length)),
  );
  if (ignored === undefined) {
    throw usageError(
      `${found?.path ?? projectFile} has too many patterns.`,
      'Use fewer and simpler patterns.',
    );
  }
  const sifted = siftPaths(paths, { ignored: new Set(Array.from(ignored, (one) => folder + one)) });
  return file === undefined ? sifted : { ...sifted, ignoreFile: madeFile(file.path, patterns) };
}

/** @throws CommandError where the files say the same as the settings of the code, or cannot have them */
function requireNoRules(
  { rules }: CodeFiles,
  { published, isArchive }: Pick<LocalFiles, 'published' | 'isArchive'>,
): void {
  for (const { path: name } of rules) {
    const setting = name.slice(1);
    if (isArchive) {
      throw usageError(
        `A ZIP takes no ${setting} from ${projectFile}.`,
        `Publish its folder, or put ${name} into the ZIP.`,
      );
    }
    if (published.some((file) => file.path === name)) {
      throw usageError(
        `There are ${setting} in ${projectFile} and in ${name}.`,
        `Keep them in one place: delete ${name}, or \`${setting}\` from ${projectFile}.`,
      );
    }
  }
}

function nothingToPublish(operands: readonly string[], hidden: readonly string[]): CommandError {
  const next =
    hidden.length === 0
      ? 'Name a file, or a folder with files.'
      : 'Hidden files are there: add --include-hidden to publish them.';
  return usageError(`There are no files to publish in ${operands.join(' ')}.`, next);
}

interface Walk {
  cwd: string;
  /** The only operand: a folder's files stand at the top. */
  isAlone: boolean;
  includeHidden: boolean;
  /** Gets the folders that were not looked into, and the links that were not followed. */
  hidden: string[];
  onFolder: (folder: string, entry?: string) => void;
}

async function filesOf(operand: string, walk: Walk): Promise<LocalFile[]> {
  const source = path.resolve(walk.cwd, operand);
  walk.onFolder(path.dirname(source), path.basename(source));
  const found = await stat(source).catch(() => undefined);
  if (found === undefined) throw usageError(`${operand} does not exist.`);
  await requireNamed(operand, source, walk.cwd);
  const name = path.basename(source).normalize('NFC');
  if (!found.isDirectory()) return [describe(name, source, found)];
  return filesIn(source, walk.isAlone ? '' : `${name}/`, { ...walk, top: source });
}

/**
 * A path in this folder may be a link of somebody else: to what it leads out of the folder, or to what is hidden, is
 * published only under its own name.
 * @throws CommandError
 */
async function requireNamed(operand: string, source: string, cwd: string): Promise<void> {
  const named = path.relative(cwd, source);
  if (leadsOut(named)) return;
  const target = await pathWithin(cwd, source);
  if (target !== undefined && (isHidden(named) || !isHidden(target))) return;
  throw usageError(
    `${operand} is a link to ${await realpath(source)}.`,
    'If you want to publish that, name it by this path.',
  );
}

/** Links are followed to files only, so that a link to a folder above cannot go round for ever. */
async function filesIn(
  folder: string,
  below: string,
  walk: Walk & { top: string },
): Promise<LocalFile[]> {
  const files: LocalFile[] = [];
  walk.onFolder(folder);
  const inFolder = path.join(folder, path.sep);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const source = inFolder + entry.name;
    // macOS decomposes letters; the service composes them.
    const at = (below + entry.name).normalize('NFC');
    if (entry.isDirectory()) {
      // Ours: it says which project the folder is.
      if (entry.name === '.slipway') continue;
      if (!walk.includeHidden && isHidden(entry.name)) walk.hidden.push(`${at}/`);
      else files.push(...(await filesIn(source, `${at}/`, walk)));
    } else {
      // A link may lead nowhere.
      const found = statSync(source, { throwIfNoEntry: false });
      if (found?.isFile() !== true) continue;
      if (entry.isSymbolicLink() && !(await isFollowed(source, walk))) walk.hidden.push(at);
      else files.push(describe(at, source, found));
    }
  }
  return files;
}

/**
 * Whether a link is followed: to files of the same folder alone, and to none that is left out. The folder may be
 * somebody else's, and a link of it could lead to any file of this computer.
 */
async function isFollowed(
  source: string,
  { top, includeHidden }: { top: string; includeHidden: boolean },
): Promise<boolean> {
  const target = await pathWithin(top, source);
  if (target === undefined || target.startsWith('.slipway/')) return false;
  return includeHidden || !isHidden(target);
}

/** The path of a file below a folder, with slashes, where links lead; undefined for one outside of the folder. */
async function pathWithin(folder: string, source: string): Promise<string | undefined> {
  const target = path.relative(await realpath(folder), await realpath(source));
  return leadsOut(target) ? undefined : target.replaceAll(path.sep, '/');
}

/** Whether a path from a folder, in the form of `path.relative`, leads out of it. */
export function leadsOut(relative: string): boolean {
  return path.isAbsolute(relative) || relative.split(path.sep)[0] === '..';
}

function describe(name: string, source: string, { size, mtimeMs }: Stats): LocalFile {
  return { path: name, source, size, changedMs: mtimeMs };
}

function nameOf(operand: string, cwd: string): string {
  return path.basename(path.resolve(cwd, operand)).replace(/(?<=.)\.[^./]+$/, '');
}

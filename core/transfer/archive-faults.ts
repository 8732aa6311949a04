import type { ProjectExport, VersionExport } from '../../contract/account-export.ts';
import { checkPath } from '../content/safe-path.ts';
import { filesHash } from './exported-files.ts';

/**
 * The reason why an archived project contradicts its own totals or hashes; `undefined` if it is
 * consistent.
 */
export function findArchiveFault({ versions, liveVersion, lastVersion }: ProjectExport) {
  const numbers = versions.map(({ version }) => version);
  if (!numbers.includes(liveVersion)) return `its live version ${liveVersion} is missing`;
  const isRising = numbers.every((number, at) => number > (numbers[at - 1] ?? 0));
  if (!isRising) return 'its versions are out of order';
  if ((numbers.at(-1) ?? 0) > lastVersion) return 'it has versions after its last one';
  return versions.map(versionFault).find((fault) => fault !== undefined);
}

function versionFault(version: VersionExport): string | undefined {
  const { files, fileCount, bytes, home } = version;
  const wrong = (what: string) => `version ${version.version} ${what}`;
  if (files.length !== fileCount || filesHash(files) !== version.filesHash) {
    return wrong('is not whole');
  }
  if (files.reduce((sum, { size }) => sum + size, 0) !== bytes) return wrong('has a wrong size');
  const paths = new Set(files.map(({ path }) => path));
  if (paths.size !== files.length) return wrong('has a path twice');
  if (home !== null && !paths.has(home)) return wrong('lacks its home page');
  // Anybody may have made the archive, so its paths may break our rules.
  const unsafe = [...paths].find((path) => !isSafe(path));
  return unsafe === undefined ? undefined : wrong(`holds ${JSON.stringify(unsafe)}`);
}

function isSafe(path: string): boolean {
  const checked = checkPath(path);
  return checked.ok && checked.path === path;
}

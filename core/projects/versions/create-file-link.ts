import { maxZipBytes } from '../../../contract/limits.ts';
import type { AccountCaller } from '../../caller.ts';
import { baseName } from '../../content/media-type.ts';
import { normalPath, quoted } from '../../content/safe-path.ts';
import { CodedError } from '../../errors.ts';
import { epochSeconds, instant, plusSeconds } from '../../instants.ts';
import { effectiveTier, type Plans } from '../../accounts/account.ts';
import { bytesOfDay } from '../../limits/written-bytes.ts';
import type { RotatingSecret } from '../../secrets/rotating-secret.ts';
import { ownFilePath, ownZipPath } from '../../visit/access/own-file-link.ts';
import { isTooLarge, zipFileName, zipOf } from '../../visit/decide-zip.ts';
import { type FileEntry, fileLocation, type Manifest } from '../../visit/manifest.ts';
import type { Addresses } from '../addresses/addresses.ts';
import type { Project } from '../project.ts';
import type { Version } from '../version.ts';
import { type ReadFilesDeps, readVersion } from './list-files.ts';

/** The dependencies for signing a link to a file. */
export interface SignFileLinkDeps {
  plans: Plans;
  accessSecret: RotatingSecret;
  addresses: Pick<Addresses, 'downloadUrl'>;
  now(): Date;
}

/** The dependencies for making links to files. */
export interface FileLinkDeps extends ReadFilesDeps, SignFileLinkDeps {}

const linkSeconds = 600;

/**
 * A link that downloads one file of a kept version as it was uploaded, or without a `path` all of them as a
 * ZIP, whatever the project's status, except while the project is taken down. It ends when the project is
 * archived.
 * @throws CodedError NOT_FOUND, UPLOAD_INCOMPLETE, PAYLOAD_TOO_LARGE
 */
export async function createFileLink(
  deps: FileLinkDeps,
  caller: AccountCaller,
  input: { projectId: string; path?: string | undefined; version?: number | undefined },
) {
  const { project, version } = await readVersion(deps, caller, input);
  const { linkTo, linkToZip, end } = fileLinks(deps, caller, linkSeconds);
  const expiresAt = instant(end);
  if (input.path === undefined) {
    requireZip(version.files);
    return { url: linkToZip(project, version.version), expiresAt };
  }
  const path = normalPath(input.path);
  const entry = version.files.get(path);
  if (entry === undefined) {
    throw new CodedError('NOT_FOUND', {
      error: `Version ${version.version} has no file ${quoted(path)}.`,
      nextStep: 'GET /v1/projects/{projectId}/files lists the files.',
    });
  }
  return { url: linkTo({ project, version }, path, entry), expiresAt };
}

function requireZip(files: Manifest): void {
  const zip = zipOf(files);
  if (zip === undefined || !isTooLarge(zip)) return;
  throw new CodedError('PAYLOAD_TOO_LARGE', {
    error: `These files are too large for one ZIP: they have ${zip.bytes} bytes, and a ZIP has at most ${maxZipBytes} bytes.`,
    nextStep:
      'Download the files one by one, or the whole account with the command `slipway export`.',
  });
}

/**
 * Makes links for an owner, each for one file or for all files of a version. All expire at `end`, which is `seconds`
 * from now.
 */
export function fileLinks(deps: SignFileLinkDeps, { account }: AccountCaller, seconds: number) {
  const { accessSecret, addresses, plans } = deps;
  const now = deps.now();
  const end = plusSeconds(now, seconds);
  const { maxStorageBytes } = plans[effectiveTier(account, now)];
  const ofDay = { bytesOfDay: bytesOfDay(maxStorageBytes) };
  const times = { expires: epochSeconds(end), madeAt: now.getTime() };
  const linkTo = (at: LinkedVersion, path: string, entry: FileEntry): string => {
    const { id: projectId, host } = at.project;
    const location = fileLocation(at.version.store, path, entry);
    const { offset, size } = entry;
    const file = { host, projectId, location, offset, size, name: baseName(path) };
    return addresses.downloadUrl(ownFilePath(accessSecret, { ...ofDay, ...file, ...times }));
  };
  const linkToZip = ({ id: projectId, host, title }: ZippedProject, version: number): string => {
    const zip = { host, projectId, version, name: zipFileName(title) };
    return addresses.downloadUrl(ownZipPath(accessSecret, { ...ofDay, ...zip, ...times }));
  };
  return { end, linkTo, linkToZip };
}

type ZippedProject = Pick<Project, 'id' | 'host' | 'title'>;

interface LinkedVersion {
  project: Pick<Project, 'id' | 'host'>;
  version: Pick<Version, 'store'>;
}

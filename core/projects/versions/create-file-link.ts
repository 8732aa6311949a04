import type { AccountCaller } from '../../caller.ts';
import { baseName } from '../../content/media-type.ts';
import { normalPath, quoted } from '../../content/safe-path.ts';
import { CodedError } from '../../errors.ts';
import { epochSeconds, instant, plusSeconds } from '../../instants.ts';
import { effectiveTier, type Plans } from '../../accounts/account.ts';
import { bytesOfDay } from '../../limits/written-bytes.ts';
import type { RotatingSecret } from '../../secrets/rotating-secret.ts';
import { ownFilePath } from '../../visit/access/own-file-link.ts';
import { type FileEntry, fileLocation } from '../../visit/manifest.ts';
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
 * A link that downloads one file of a kept version as it was uploaded, whatever the project's
 * status, except while the project is taken down. It ends when the project is archived.
 * @throws CodedError NOT_FOUND, UPLOAD_INCOMPLETE
 */
export async function createFileLink(
  deps: FileLinkDeps,
  caller: AccountCaller,
  input: { projectId: string; path: string; version?: number | undefined },
) {
  const { project, version } = await readVersion(deps, caller, input);
  const path = normalPath(input.path);
  const entry = version.files.get(path);
  if (entry === undefined) {
    throw new CodedError('NOT_FOUND', {
      error: `Version ${version.version} has no file ${quoted(path)}.`,
      nextStep: 'GET /v1/projects/{projectId}/files lists the files.',
    });
  }
  const { linkTo, end } = fileLinks(deps, caller, linkSeconds);
  return { url: linkTo({ project, version }, path, entry), expiresAt: instant(end) };
}

/**
 * Makes links for an owner, each for one file of a version. All expire at `end`, which is `seconds`
 * from now.
 */
export function fileLinks(deps: SignFileLinkDeps, { account }: AccountCaller, seconds: number) {
  const { accessSecret, addresses, plans } = deps;
  const now = deps.now();
  const end = plusSeconds(now, seconds);
  const { maxStorageBytes } = plans[effectiveTier(account, now)];
  const linkTo = (at: LinkedVersion, path: string, entry: FileEntry): string => {
    const { id: projectId, host } = at.project;
    const location = fileLocation(at.version.store, path, entry);
    const { offset, size } = entry;
    const file = { host, projectId, location, offset, size, name: baseName(path) };
    const ofDay = { bytesOfDay: bytesOfDay(maxStorageBytes) };
    const times = { expires: epochSeconds(end), madeAt: now.getTime() };
    const link = { ...ofDay, ...file, ...times };
    return addresses.downloadUrl(ownFilePath(accessSecret, link));
  };
  return { end, linkTo };
}

/** The version whose file a link downloads. */
interface LinkedVersion {
  project: Pick<Project, 'id' | 'host'>;
  version: Pick<Version, 'store'>;
}

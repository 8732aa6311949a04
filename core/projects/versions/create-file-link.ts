import type { AccountCaller } from '../../caller.ts';
import { contentKey } from '../../content/content-keys.ts';
import { baseName } from '../../content/media-type.ts';
import { quoted } from '../../content/safe-path.ts';
import { CodedError } from '../../errors.ts';
import { instant, plusSeconds } from '../../instants.ts';
import type { ContentLinks } from '../../transfer/ports.ts';
import { fileLocation } from '../../visit/manifest.ts';
import { type ReadFilesDeps, readVersion } from './list-files.ts';

/** The dependencies for making links to files. */
export interface FileLinkDeps extends ReadFilesDeps {
  links: ContentLinks;
  now(): Date;
}

const linkSeconds = 600;

/**
 * A link that downloads one file of a kept version as it was uploaded, whatever the project's status.
 * @throws CodedError NOT_FOUND, UPLOAD_INCOMPLETE
 */
export async function createFileLink(
  deps: FileLinkDeps,
  caller: AccountCaller,
  input: { projectId: string; path: string; version?: number | undefined },
) {
  const { project, version } = await readVersion(deps, caller, input);
  const path = input.path.normalize('NFC');
  const entry = version.files.get(path);
  if (entry === undefined) {
    throw new CodedError('NOT_FOUND', {
      error: `Version ${version.version} has no file ${quoted(path)}.`,
      nextStep: 'GET /v1/projects/{projectId}/files lists the files.',
    });
  }
  const key = contentKey(project.id, fileLocation(version.store, path, entry));
  const now = deps.now();
  return {
    url: await deps.links.sign(key, linkSeconds, baseName(path)),
    expiresAt: instant(plusSeconds(now, linkSeconds)),
  };
}

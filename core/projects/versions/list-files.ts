import type * as z from 'zod';
import type * as contract from '../../../contract/operations/files.ts';
import type { AccountCaller } from '../../caller.ts';
import { typeOfFile } from '../../content/media-type.ts';
import { CodedError } from '../../errors.ts';
import type { ContentStore, ProjectStore } from '../../ports.ts';
import type { FileEntry } from '../../visit/manifest.ts';
import { toUrlPath } from '../../visit/protocol/request-path.ts';
import { requireOwnedProject, uploadNotPublished } from '../owned-projects.ts';
import { previewNotFound } from '../previews/manage-previews.ts';
import { runningPreviews } from '../previews/named-preview.ts';
import type { Project } from '../project.ts';
import { versionNotFound } from './deployment.ts';
import { readManifest, type VersionWithFiles } from './kept-versions.ts';

/** The dependencies for reading the files of a version. */
export interface ReadFilesDeps {
  projects: Pick<ProjectStore, 'get' | 'getVersion'>;
  content: Pick<ContentStore, 'get'>;
}

type FileQuery = z.output<typeof contract.listProjectFiles.input>;

/**
 * A page of a version's files, by path. A cursor names its version, so that a page never belongs to
 * another version than the one before it.
 * @throws CodedError NOT_FOUND, UPLOAD_INCOMPLETE, INVALID_REQUEST for an invalid cursor
 */
export async function listProjectFiles(
  deps: ReadFilesDeps & PreviewFilesDeps & { addresses: { siteUrl(host: string): string } },
  caller: AccountCaller,
  { limit, q, ...query }: FileQuery,
) {
  const from = readCursor(query);
  const { projectId, preview } = query;
  const wanted = from.version ?? query.version;
  const { project, version } = await (preview === undefined
    ? readVersion(deps, caller, { projectId, version: wanted })
    : readPreview(deps, caller, { projectId, preview, version: wanted }));
  const isLive = version.version === project.version;
  const site = isLive ? deps.addresses.siteUrl(project.host) : undefined;
  const searched = q?.normalize('NFC').toLowerCase() ?? '';
  const found = [...version.files]
    .filter(([path]) => path.toLowerCase().includes(searched))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const end = from.index + limit;
  return {
    version: version.version,
    fileCount: version.fileCount,
    bytes: version.bytes,
    files: found.slice(from.index, end).map(([path, entry]) => describeFile(path, entry, site)),
    nextCursor: end < found.length ? `${version.version}-${end}` : null,
  };
}

function describeFile(path: string, entry: FileEntry, site: string | undefined) {
  const { size, hash } = entry;
  const contentType = typeOfFile(path, entry);
  return { path, size, hash, contentType, url: site === undefined ? null : site + toUrlPath(path) };
}

/**
 * The caller's project, with a kept version of it and its files.
 * @throws CodedError NOT_FOUND, UPLOAD_INCOMPLETE
 */
export async function readVersion(
  deps: ReadFilesDeps,
  caller: AccountCaller,
  input: { projectId: string; version?: number | undefined },
): Promise<{ project: Project; version: VersionWithFiles }> {
  const project = await requireOwnedProject(deps.projects, caller, input.projectId);
  if (project.version === 0) throw uploadNotPublished();
  const number = input.version ?? project.version;
  const version = await deps.projects.getVersion(project.id, number);
  const files = version && (await readManifest(deps.content, project.id, version));
  if (version !== undefined && files !== undefined) {
    return { project, version: { ...version, files } };
  }
  // A push may have removed the version since the project was read.
  const after = await requireOwnedProject(deps.projects, caller, input.projectId);
  if (input.version !== undefined || after.version === number) throw versionNotFound(number);
  return readVersion(deps, caller, input);
}

interface PreviewFilesDeps {
  projects: Pick<ProjectStore, 'getDroppedVersion'>;
  now(): Date;
}

/** The same of a named preview, if it shows this version. @throws CodedError NOT_FOUND */
async function readPreview(
  { projects, content, ...deps }: ReadFilesDeps & PreviewFilesDeps,
  caller: AccountCaller,
  { projectId, preview: name, version: wanted }: Omit<FileQuery, 'limit'>,
): Promise<{ project: Project; version: VersionWithFiles }> {
  const project = await requireOwnedProject(projects, caller, projectId);
  const preview = runningPreviews(project, deps.now()).find((one) => one.name === name);
  if (preview === undefined) throw previewNotFound();
  const { version: number } = preview;
  const version = await projects.getDroppedVersion(project.id, number);
  const files = version && (await readManifest(content, project.id, version));
  if (version === undefined || files === undefined || (wanted ?? number) !== number) {
    throw versionNotFound(wanted ?? number);
  }
  return { project, version: { ...version, files } };
}

/** Where a page begins. A manifest never changes, so an index always means the same file. */
function readCursor({ version, cursor }: Pick<FileQuery, 'version' | 'cursor'>) {
  if (cursor === undefined) return { version: undefined, index: 0 };
  const written = /^([1-9]\d{0,8})-(\d{1,9})$/.exec(cursor);
  const [, ofVersion, index] = written ?? [];
  if (written === null || (version !== undefined && version !== Number(ofVersion))) {
    const message = 'is not a cursor of this list';
    throw new CodedError('INVALID_REQUEST', {
      error: `cursor: ${message}`,
      nextStep:
        'Send the `nextCursor` of the previous page unchanged, or omit `cursor` for the first page.',
      details: [{ path: 'cursor', message }],
    });
  }
  return { version: Number(ofVersion), index: Number(index) };
}

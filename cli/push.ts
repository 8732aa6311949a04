import type { Input, Output } from '../web/app/api/contract.ts';
import type { CodeChanges } from './code-settings.ts';
import { bytesOf, hashOf, type LocalFile } from './local-file.ts';
import type { LocalFiles } from './local-files.ts';
import { type Content, sendFiles, type SendOptions } from './send-files.ts';
import type { Service } from './service.ts';

/** The limits of a change of single files: paths to delete, files, and bytes. */
const most = { deleted: 1000, files: 1000, bytes: 100_000_000 };

/** What differs between files here and the live version. */
export interface Difference {
  changed: LocalFile[];
  deleted: string[];
  /** The version that the files were compared with. */
  version: number;
}

/** Choices of an upload that the service asks for. */
export type UploadChoices = Pick<
  Input<'replaceProjectFiles'>,
  'zipIndexHtmlPath' | 'home' | 'asFileBundle' | 'includeHidden' | 'allowSecrets' | 'takePictures'
>;

/** Which project gets the files, and how. */
export interface PushOptions extends SendOptions {
  projectId: string;
  draft: boolean;
  note: string | undefined;
  choices: UploadChoices;
  /** Settings of the project that change together with the files. */
  settings: CodeChanges;
}

/** A new version. */
export interface Pushed {
  version: number;
  url: string;
  sent: { files: number; bytes: number };
  warnings: Output<'getUpload'>['warnings'];
}

/** Compares files with the live version, or with a preview, by their hashes. @throws ApiError */
export async function differenceOf(
  service: Service,
  shown: Pick<Input<'listProjectFiles'>, 'projectId' | 'preview'>,
  { published }: LocalFiles,
): Promise<Difference> {
  const live = new Map<string, { hash: string; size: number }>();
  let version = 0;
  let cursor: string | undefined;
  do {
    const page = await service.call('listProjectFiles', {
      ...shown,
      limit: 1000,
      ...(cursor !== undefined && { cursor }),
    });
    for (const file of page.files) live.set(file.path, file);
    version = page.version;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  const changed: LocalFile[] = [];
  for (const file of published) {
    const known = live.get(file.path);
    const isSame = known?.size === file.size && known.hash === (await hashOf(file));
    if (!isSame) changed.push(file);
    live.delete(file.path);
  }
  return { changed, deleted: [...live.keys()], version };
}

/**
 * Whether only what is new can be sent: a ZIP is unpacked by the service, a chosen home page goes with all files, and
 * pictures are taken along from all texts.
 */
export function isComparable(
  { isArchive }: LocalFiles,
  { zipIndexHtmlPath, asFileBundle, takePictures }: UploadChoices,
): boolean {
  const goesWithAll = zipIndexHtmlPath !== undefined || asFileBundle === true;
  return !isArchive && !goesWithAll && takePictures !== true;
}

/** Whether nothing differs. */
export function isEmpty({ changed, deleted }: Difference): boolean {
  return changed.length === 0 && deleted.length === 0;
}

/** Whether a difference fits into one change of single files, and saves something. */
export function isSmallChange(
  { changed, deleted }: Difference,
  { published }: LocalFiles,
): boolean {
  return (
    deleted.length <= most.deleted &&
    changed.length <= most.files &&
    changed.length < published.length &&
    bytesOf(changed) <= most.bytes
  );
}

/** Prepares the files that differ. @throws ApiError, CommandError */
export async function sendChanged(
  options: SendOptions,
  { changed, deleted }: Pick<Difference, 'changed' | 'deleted'>,
): Promise<Content> {
  if (changed.length === 0) return { upload: {} };
  return sendFiles(changed, { ...options, isMerge: true }, { deleted });
}

/** What goes over the network for some files. */
export function sentOf(files: readonly LocalFile[]): Pushed['sent'] {
  return { files: files.length, bytes: bytesOf(files) };
}

/** Publishes a difference: files that did not change are not sent. @throws ApiError, CommandError */
export async function pushDifference(
  options: PushOptions,
  { changed, deleted, version }: Difference,
): Promise<Pushed> {
  const { service, projectId, draft, note, choices, settings } = options;
  const { upload, files } = await sendChanged(options, { changed, deleted });
  const { includeHidden, allowSecrets } = choices;
  const { deploymentId, url, warnings } = await service.call(
    'changeProjectFiles',
    {
      projectId,
      delete: deleted,
      expectedVersion: version,
      draft,
      note,
      ...settings,
      ...upload,
      ...(includeHidden !== undefined && { includeHidden }),
      ...(allowSecrets !== undefined && { allowSecrets }),
    },
    files,
  );
  return { version: versionOf(deploymentId), url, sent: sentOf(changed), warnings };
}

/** Publishes all files as a new version. @throws ApiError, CommandError */
export async function pushAll(
  options: PushOptions,
  { files }: LocalFiles,
): Promise<Pushed & { queued: string | undefined }> {
  const { service, projectId, draft, note, choices, settings } = options;
  const content = await sendFiles(files, options);
  const answer = await service.call(
    'replaceProjectFiles',
    {
      projectId,
      ...content.upload,
      draft,
      note,
      ...settings,
      ...choices,
    },
    content.files,
  );
  const sent = sentOf(files);
  const { warnings, deploymentId, url } = answer;
  return { version: versionOf(deploymentId), url, sent, warnings, queued: answer.uploadId };
}

function versionOf(deploymentId: string): number {
  return Number(deploymentId.replace('dep_v', ''));
}

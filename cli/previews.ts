import { formatBytes } from '../web/app/texts/format.ts';
import { usageError } from './command-error.ts';
import { bytesOf, type LocalFiles } from './local-files.ts';
import type { Options } from './options.ts';
import { published, tell } from './published.ts';
import { sendFiles } from './send-files.ts';
import { choicesOf, placeOf, sendOptions, untilStored } from './uploading.ts';
import { requireProject, type Session } from './session.ts';
import { columns } from './terminal.ts';

/** `publish --preview NAME`: shows files at an address beside the project; its own address stays as it is. */
export async function publishPreview(
  session: Session,
  {
    projectId,
    files,
    options,
    name,
  }: {
    projectId: string | undefined;
    files: LocalFiles;
    options: Options;
    name: string;
  },
): Promise<void> {
  const { access, expires } = options;
  if (projectId === undefined)
    throw usageError('A new project has no preview.', 'Publish it first.');
  if (access !== undefined && access !== 'public') {
    throw usageError(
      'A preview is for those who may view the project, or with --access public for all.',
    );
  }
  session.say(`Publishing the preview ${name} of ${placeOf(session, projectId)}.`);
  const uploadId = await sendFiles(files.files, { ...sendOptions(session), ...files });
  const answer = await session.service.call('putPreview', {
    projectId,
    name,
    uploadId,
    ...choicesOf(options),
    ...(access === 'public' && { access }),
    ...(expires !== undefined && { expiresIn: expires }),
  });
  const late = await untilStored(session, answer.uploadId);
  const { url, expiresAt, isUnchanged } = answer;
  const result = published(files, { url: url ?? '', warnings: late ?? answer.warnings });
  const sent = isUnchanged
    ? { files: 0, bytes: 0 }
    : { files: files.files.length, bytes: bytesOf(files.files) };
  tell(session, { ...result, projectId, preview: name, expiresAt, sent });
}

/** `previews [rm NAME…]`: lists the previews of a project, and ends some. */
export async function previews(
  session: Session,
  [action, ...names]: readonly string[],
): Promise<void> {
  const projectId = await requireProject(session);
  if (action === undefined) {
    const found = await session.service.call('listPreviews', { projectId });
    session.answer(
      found,
      columns(
        found.previews.map(({ name, url, sizeBytes, expiresAt }) => [
          name,
          url ?? '',
          formatBytes(sizeBytes),
          `until ${expiresAt}`,
        ]),
      ),
    );
    return;
  }
  if (action !== 'rm' || names.length === 0) throw usageError('Run: slipway previews rm NAME');
  for (const name of names) await session.service.call('deletePreview', { projectId, name });
  session.answer(
    { deleted: names },
    names.map((name) => `Ended ${name}.`),
  );
}

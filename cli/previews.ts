import { ApiError } from '../web/app/api/api-error.ts';
import { formatBytes } from '../web/app/texts/format.ts';
import { usageError } from './command-error.ts';
import type { LocalFiles } from './local-files.ts';
import type { Options } from './options.ts';
import { settingOptions } from './publish-settings.ts';
import { type Published, published, tell } from './published.ts';
import {
  type Difference,
  differenceOf,
  isComparable,
  isSmallChange,
  sendChanged,
  sentOf,
} from './push.ts';
import { sendFiles } from './send-files.ts';
import { choicesOf, placeOf, sendOptions, untilStored } from './uploading.ts';
import type { Service } from './service.ts';
import { requireProject, type Session } from './session.ts';
import { columns } from './terminal.ts';

interface PreviewPush {
  projectId: string;
  files: LocalFiles;
  options: Options;
  name: string;
}

/**
 * `publish --preview NAME`: shows files at an address beside the project; its own address stays as it is.
 * @throws ApiError, CommandError
 */
export async function publishPreview(session: Session, push: PreviewPush): Promise<Published> {
  requirePreviewable(push.options);
  session.say(`Publishing the preview ${push.name} of ${placeOf(session, push.projectId)}.`);
  const result = await pushPreview(session, push);
  tell(session, result);
  return result;
}

/** @throws CommandError for options that a preview does not have */
export function requirePreviewable(options: Options): void {
  if (options.access !== undefined && options.access !== 'public') {
    throw usageError(
      'A preview is for those who may view the project, or with --access public for all.',
    );
  }
  if (options['take-pictures'] === true) {
    throw usageError('A preview takes no pictures along.', 'Publish with --draft instead.');
  }
  const other = ([...settingOptions, 'draft', 'note'] as const).find(
    (one) => options[one] !== undefined,
  );
  if (other !== undefined) {
    throw usageError(
      `A preview changes files only: --${other} does not go with it.`,
      'Change settings by slipway set NAME=VALUE.',
    );
  }
}

/** Sends what is new, or everything where that is less work, and makes a preview show it. @throws ApiError, CommandError */
export async function pushPreview(session: Session, push: PreviewPush): Promise<Published> {
  const { projectId, files, options, name } = push;
  const { access, expires } = options;
  const { sent, fields, parts } = await sendPreview(session, push);
  const answer = await session.service.call(
    'putPreview',
    {
      projectId,
      name,
      ...fields,
      ...choicesOf(options),
      ...(access === 'public' && { access }),
      ...(expires !== undefined && { expiresIn: expires }),
    },
    parts,
  );
  const late = await untilStored(session, answer.uploadId);
  const { url, expiresAt, isUnchanged } = answer;
  const result = published(files, { url: url ?? '', warnings: late ?? answer.warnings });
  return { ...result, projectId, preview: name, expiresAt, sent: isUnchanged ? sentOf([]) : sent };
}

async function sendPreview(session: Session, push: PreviewPush) {
  const { files } = push;
  const options = sendOptions(session);
  const difference = isComparable(files, choicesOf(push.options))
    ? await differenceFrom(session.service, push)
    : undefined;
  if (difference === undefined || !isSmallChange(difference, files)) {
    const content = await sendFiles(files.files, options);
    return { sent: sentOf(files.files), fields: content.upload, parts: content.files };
  }
  const { changed, deleted, version } = difference;
  const { upload, files: parts } = await sendChanged(options, difference);
  const fields = { ...upload, delete: deleted, mergeInto: version };
  return { sent: sentOf(changed), fields, parts };
}

/** What differs from the files that a preview shows; nothing to compare with where there is none. */
async function differenceFrom(
  service: Service,
  { projectId, name, files }: PreviewPush,
): Promise<Difference | undefined> {
  try {
    return await differenceOf(service, { projectId, preview: name }, files);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

/** Ends a preview; also one whose first push did not succeed. @throws ApiError, CommandError */
export async function endPreview(service: Service, projectId: string, name: string): Promise<void> {
  try {
    await service.call('deletePreview', { projectId, name });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
  }
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

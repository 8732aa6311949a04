import { CommandError, exitCodes, usageError } from './command-error.ts';
import { linkProject, linkedPaths } from './linked-project.ts';
import { collectFiles, type LocalFiles } from './local-files.ts';
import type { Options } from './options.ts';
import { chosenSettings, type ChosenSettings } from './publish-settings.ts';
import { countOf, type Published, published, showFiles, tell } from './published.ts';
import { publishPreview } from './previews.ts';
import {
  differenceOf,
  isEmpty,
  isSmallChange,
  pushAll,
  pushDifference,
  type PushOptions,
} from './push.ts';
import { sendFiles } from './send-files.ts';
import { requireProject, type Session } from './session.ts';
import { openInBrowser } from './terminal.ts';
import { choicesOf, placeOf, sendOptions, untilStored } from './uploading.ts';

/**
 * Publishes files: the folder's project gets a new version, which is live at once; without one there is a new
 * project, and without a key a temporary one.
 * @throws ApiError, CommandError
 */
export async function publish(
  session: Session,
  operands: readonly string[],
  options: Options,
): Promise<void> {
  const { context, linked } = session;
  const paths = operands.length > 0 ? operands : linkedPaths(context.cwd, linked);
  const files = await collectFiles(paths, {
    cwd: context.cwd,
    includeHidden: options['include-hidden'] === true,
  });
  if (options['dry-run'] === true) return showFiles(session, files);
  const projectId = options.new === true ? undefined : await projectToUpdate(session, paths);
  const name = options.preview;
  if (name !== undefined) return publishPreview(session, { projectId, files, options, name });
  const settings = await chosenSettings(session, options);
  const result = await send(session, { files, projectId, options, settings });
  const { url, projectId: id } = result;
  if (id !== null && session.service.hasKey && session.named === undefined) {
    await linkProject(context.cwd, { service: session.service.url, projectId: id, url, paths });
  }
  tell(session, result);
  if (options.open === true) await openInBrowser(context, result.previewUrl ?? url);
}

interface Request {
  files: LocalFiles;
  projectId: string | undefined;
  options: Options;
  settings: ChosenSettings;
}

async function send(session: Session, request: Request): Promise<Published> {
  const { files, projectId, options } = request;
  const where = projectId === undefined ? 'as a new project' : `to ${placeOf(session, projectId)}`;
  const how = options.draft === true ? 'as a draft' : 'live at once';
  session.say(`Publishing ${countOf(files)} ${where}, ${how}.`);
  if (projectId !== undefined) return update(session, { ...request, projectId });
  if (options.draft === true) {
    throw usageError('A new project has no draft.', 'Publish it first, or add --access private.');
  }
  return session.service.hasKey ? create(session, request) : publishTemporarily(session, request);
}

/** @throws CommandError where this folder's project was published from other paths */
async function projectToUpdate(
  session: Session,
  paths: readonly string[],
): Promise<string | undefined> {
  const { linked, named, service } = session;
  if (named !== undefined) return requireProject(session);
  if (linked === undefined || !service.hasKey) return undefined;
  if (linked.paths.length === 0 || linked.paths.join('\n') === paths.join('\n')) {
    return linked.projectId;
  }
  throw usageError(
    `This folder is linked to ${linked.url}, which was published from ${linked.paths.join(' ')}.`,
    `Add --new for a project of its own, or --project ${linked.projectId} to replace its files.`,
  );
}

async function create(session: Session, { files, options, settings }: Request): Promise<Published> {
  const { service } = session;
  const uploadId = await sendFiles(files.files, { ...sendOptions(session), ...files });
  const { projectId, url, expiresAt, warnings, ...answer } = await service.call('createProject', {
    title: options.title ?? files.name,
    uploadId,
    ...choicesOf(options),
    ...settings,
  });
  const late = await untilStored(session, answer.uploadId);
  return {
    ...published(files, { url, warnings: late ?? warnings }),
    projectId,
    version: 1,
    expiresAt,
  };
}

async function publishTemporarily(
  session: Session,
  { files, options, settings }: Request,
): Promise<Published> {
  if (options.title !== undefined || Object.keys(settings).length > 0) {
    throw new CommandError(exitCodes.signedOut, 'Without an account, a project has no settings.', {
      next: 'Run: slipway login',
    });
  }
  const uploadId = await sendFiles(files.files, { ...sendOptions(session), ...files });
  const { projectId, url, claimUrl, expiresAt, warnings } = await session.service.call(
    'publishTempProject',
    { uploadId, ...choicesOf(options) },
  );
  return { ...published(files, { url, warnings }), projectId, claimUrl, expiresAt };
}

async function update(
  session: Session,
  { files, projectId, options, settings }: Request & { projectId: string },
): Promise<Published> {
  const draft = options.draft === true;
  const changes = { ...settings, ...(options.title !== undefined && { title: options.title }) };
  const hasChanges = Object.keys(changes).length > 0;
  if (draft && hasChanges) {
    throw usageError('A draft changes files only.', 'Change settings by slipway set NAME=VALUE.');
  }
  const to = { ...sendOptions(session), projectId, draft, choices: choicesOf(options) };
  const pushed = await push(session, to, files);
  if (hasChanges) await session.service.call('updateProjectSettings', { ...changes, projectId });
  const { url } = await session.service.call('getProject', { projectId });
  const { version, sent, warnings, isNew } = pushed;
  const isDraft = draft && isNew;
  const preview = { projectId, version: String(version) };
  const previewUrl = isDraft ? (await session.service.call('previewVersion', preview)).url : null;
  const result = published(files, { url, warnings });
  return { ...result, projectId, version, draft: isDraft, previewUrl, sent };
}

/** Sends what is new, or everything where that is less work; nothing where nothing changed. */
async function push(session: Session, to: PushOptions, files: LocalFiles) {
  const { service } = session;
  const difference = files.isArchive ? undefined : await differenceOf(service, to.projectId, files);
  if (difference !== undefined && isEmpty(difference)) {
    const sent = { files: 0, bytes: 0 };
    return { version: difference.version, sent, warnings: undefined, isNew: false };
  }
  if (difference !== undefined && isSmallChange(difference, files)) {
    return { ...(await pushDifference(to, difference)), isNew: true };
  }
  const { queued, ...pushed } = await pushAll(to, files);
  const late = await untilStored(session, queued);
  return { ...pushed, warnings: late ?? pushed.warnings, isNew: true };
}

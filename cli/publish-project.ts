import type { Input } from '../web/app/api/contract.ts';
import { type CodeChanges, projectFile } from './code-settings.ts';
import { CommandError, exitCodes, usageError } from './command-error.ts';
import type { LocalFiles } from './local-files.ts';
import type { Options } from './options.ts';
import type { ChosenSettings } from './publish-settings.ts';
import { countOf, type Published, published } from './published.ts';
import {
  differenceOf,
  isComparable,
  isEmpty,
  isSmallChange,
  pushAll,
  pushDifference,
  sentOf,
  type PushOptions,
} from './push.ts';
import { failureOf } from './refusals.ts';
import { sendFiles } from './send-files.ts';
import type { Service } from './service.ts';
import type { Session } from './session.ts';
import { choicesOf, placeOf, sendOptions, untilStored } from './uploading.ts';

/** What is published, and where: as a new project without an id. */
export interface Publication {
  files: LocalFiles;
  projectId: string | undefined;
  options: Options;
  settings: ChosenSettings;
  /** Settings of the project that belong to its files. */
  code: CodeChanges;
}

/** Publishes files. @throws ApiError, CommandError */
export async function publishProject(session: Session, request: Publication): Promise<Published> {
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

async function create(
  session: Session,
  { files, options, settings, code }: Publication,
): Promise<Published> {
  const { service } = session;
  const content = await sendFiles(files.files, sendOptions(session), settings);
  const { projectId, url, expiresAt, warnings, ...answer } = await service.call(
    'createProject',
    {
      ...code,
      title: options.title ?? code.title ?? files.name,
      ...content.upload,
      note: options.note,
      ...choicesOf(options),
      ...settings,
    },
    content.files,
  );
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
  { files, options, settings, code }: Publication,
): Promise<Published> {
  const isNamed = options.title !== undefined || options.note !== undefined;
  if (isNamed || Object.keys(settings).length > 0) {
    throw new CommandError(exitCodes.signedOut, 'Without an account, a project has no settings.', {
      next: 'Run: slipway login',
    });
  }
  if (options['take-pictures'] === true) {
    throw new CommandError(
      exitCodes.signedOut,
      'Without an account, no pictures are taken along.',
      {
        next: 'Run: slipway login',
      },
    );
  }
  if (Object.keys(code).length > 0) {
    session.say(`Note: without an account, the title and settings of ${projectFile} do not apply.`);
  }
  const { upload, files: sent } = await sendFiles(files.files, sendOptions(session));
  const { projectId, url, claimUrl, expiresAt, warnings } = await session.service.call(
    'publishTempProject',
    { ...upload, ...choicesOf(options) },
    sent,
  );
  return { ...published(files, { url, warnings }), projectId, claimUrl, expiresAt };
}

async function update(
  session: Session,
  { files, projectId, options, settings, code }: Publication & { projectId: string },
): Promise<Published> {
  const draft = options.draft === true;
  const { spa, ...chosen } = settings;
  const { title } = options;
  const changes = {
    ...(title !== undefined && { title }),
    ...(spa !== undefined && { spa }),
  };
  if (draft && Object.keys({ ...changes, ...chosen }).length > 0) {
    throw usageError('A draft changes files only.', 'Change settings by slipway set NAME=VALUE.');
  }
  // Nobody sees new files whom these settings keep out, nor earlier files whom they let in.
  const isOpening = chosen.access === 'public';
  if (!isOpening) await changeSettings(session.service, projectId, chosen);
  const to = {
    ...sendOptions(session),
    projectId,
    draft,
    note: options.note,
    choices: choicesOf(options),
    settings: draft ? {} : { ...code, ...changes },
  };
  const pushed = await push(session, to, files);
  const url = isOpening ? await open(session, projectId, chosen) : pushed.url;
  const { version, sent, warnings, isNew } = pushed;
  const isDraft = draft && isNew;
  const preview = { projectId, version: String(version) };
  const previewUrl = isDraft ? (await session.service.call('previewVersion', preview)).url : null;
  const result = published(files, { url, warnings });
  return { ...result, projectId, version, draft: isDraft, previewUrl, sent };
}

/** @throws ApiError */
async function changeSettings(
  service: Service,
  projectId: string,
  changes: Omit<Input<'updateProjectSettings'>, 'projectId'>,
): Promise<void> {
  if (Object.keys(changes).length === 0) return;
  await service.call('updateProjectSettings', { ...changes, projectId });
}

/** Lets everybody see the new files. @returns the address @throws CommandError where it is refused */
async function open(
  { service, context }: Session,
  projectId: string,
  settings: ChosenSettings,
): Promise<string> {
  try {
    await changeSettings(service, projectId, settings);
    return (await service.call('getProject', { projectId })).url;
  } catch (error) {
    const { message, next, code } = failureOf(error, context.signal);
    const said = `The files are published, but not with these settings. ${message}`;
    throw new CommandError(exitCodes.partly, said, { next, code });
  }
}

/** Sends what is new, or everything where that is less work; nothing where nothing changed. */
async function push(session: Session, to: PushOptions, files: LocalFiles) {
  const { service, projectId, choices } = to;
  const difference = isComparable(files, choices)
    ? await differenceOf(service, { projectId }, files)
    : undefined;
  if (difference !== undefined && isEmpty(difference)) {
    const url = await settleSettings(to);
    const { version } = difference;
    return { version, url, sent: sentOf([]), warnings: undefined, isNew: false };
  }
  if (difference !== undefined && isSmallChange(difference, files)) {
    return { ...(await pushDifference(to, difference)), isNew: true };
  }
  const { queued, ...pushed } = await pushAll(to, files);
  const late = await untilStored(session, queued);
  return { ...pushed, warnings: late ?? pushed.warnings, isNew: true };
}

/** Changes the settings of the code where no file changes. @returns the address */
async function settleSettings({ service, projectId, settings }: PushOptions): Promise<string> {
  const project = await service.call('getProject', { projectId });
  const { title = project.title, spa = project.spa, prettyUrls = project.prettyUrls } = settings;
  await changeSettings(service, projectId, {
    ...(title !== project.title && { title }),
    ...(spa !== project.spa && { spa }),
    ...(prettyUrls !== project.prettyUrls && { prettyUrls }),
  });
  return project.url;
}

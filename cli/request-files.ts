import { formatRelative } from '../web/app/texts/format.ts';
import type { Output } from '../web/app/api/contract.ts';
import { CommandError, exitCodes, usageError } from './command-error.ts';
import { domainIdOf } from './domain-commands.ts';
import type { Options } from './options.ts';
import { instantOf, listOf } from './publish-settings.ts';
import { requireKey, requireProject, type Session } from './session.ts';
import { columns } from './terminal.ts';

/** `request-files`: creates an upload link, lists those that work, and ends some. */
export async function requestFiles(
  session: Session,
  [action, ...ids]: readonly string[],
  options: Options,
): Promise<void> {
  requireKey(session);
  if (action === undefined) return createLink(session, options);
  if (action === 'list' && ids.length === 0) return listLinks(session);
  if (action === 'rm' && ids.length > 0) return endLinks(session, ids);
  throw usageError(
    'Say what to do with which link.',
    'For example: slipway request-files --title Photos, or slipway request-files rm ID',
  );
}

async function createLink(session: Session, options: Options): Promise<void> {
  const { title, domain, into, notify } = options;
  const request = {
    ...requestedOf(options, new Date()),
    ...(into !== undefined && { into: await requireProject(session, into) }),
  };
  const link = await session.service.call('createUploadLink', {
    ...(title !== undefined && { title }),
    ...(session.named !== undefined && { projectId: await requireProject(session) }),
    ...(domain !== undefined && { domainId: await domainIdOf(session, domain) }),
    ...(notify !== undefined && { notify }),
    ...request,
  });
  const { maxUploads = 1 } = request;
  session.say(
    Object.keys(request).length === 0
      ? 'Who opens it can publish files in your name, once. It works for 24 hours.'
      : `Uploads that it takes: ${maxUploads}, until ${link.expiresAt}.`,
  );
  session.say(`The same from a terminal: ${link.curl}`);
  session.answer(link, [link.pageUrl]);
}

/** The options of `request-files` alone; those but `--notify` make a file request. */
export const requestOptions = [
  'notify',
  'message',
  'closes',
  'max',
  'max-bytes',
  'accept',
  'ask-name',
  'ask-email',
  'receipts',
  'no-receipts',
  'into',
  'public',
] as const;

/** The fields of a file request that options choose. @throws CommandError */
export function requestedOf(options: Options, now: Date) {
  const { message, closes, max, accept, 'max-bytes': bytes } = options;
  return {
    ...(message !== undefined && { message }),
    ...(closes !== undefined && { closesAt: instantOf('--closes', closes, now) }),
    ...(max !== undefined && { maxUploads: sizeOf('max', max) }),
    ...(bytes !== undefined && { maxBytes: sizeOf('max-bytes', bytes) }),
    ...(accept !== undefined && {
      accept: listOf(accept.toLowerCase()).map((one) => one.replace(/^\.?/, '.')),
    }),
    ...(options['ask-name'] === true && { askName: true }),
    ...(options['ask-email'] === true && { askEmail: true }),
    ...receiptsOf(options),
    ...(options.public === true && { private: false }),
  };
}

/** @throws CommandError */
function receiptsOf({ receipts, 'no-receipts': none }: Options) {
  if (receipts !== true) return none === true ? { receipts: false } : {};
  if (none !== true) return { receipts: true };
  throw usageError('Use --receipts or --no-receipts, not both.', 'Run: slipway help request-files');
}

/** A number, where it is of bytes also with a unit. @throws CommandError */
function sizeOf(option: 'max' | 'max-bytes', text: string): number {
  const [, digits, unit = ''] = /^(\d{1,15})([kMG]?)$/.exec(text) ?? [];
  if (digits !== undefined && (unit === '' || option === 'max-bytes'))
    return Number(digits) * 1024 ** ['', 'k', 'M', 'G'].indexOf(unit);
  const example = option === 'max' ? 'a number such as 20' : 'a size such as 500k, 20M or 1G';
  throw usageError(`--${option} must be ${example}.`, 'Run: slipway help request-files');
}

async function listLinks(session: Session): Promise<void> {
  const { uploadLinks } = await session.service.call('listUploadLinks', {});
  if (uploadLinks.length === 0) {
    session.say('No upload link waits for files. Create one: slipway request-files --title TEXT');
  }
  session.answer(
    { uploadLinks },
    columns(
      uploadLinks.map(({ id, title, projectId, createdAt, request }) => [
        title ?? '(no title)',
        targetOf(projectId, request),
        formatRelative(createdAt),
        id,
      ]),
    ),
  );
}

function targetOf(
  projectId: string | null,
  request: Output<'listUploadLinks'>['uploadLinks'][number]['request'],
): string {
  if (request !== undefined) {
    const { received, maxUploads, isOpen } = request;
    return `${received} of ${maxUploads} uploads${isOpen ? '' : ', closed'}`;
  }
  return projectId === null ? 'a new project' : `a version of ${projectId}`;
}

async function endLinks(session: Session, ids: readonly string[]): Promise<void> {
  const { uploadLinks } = await session.service.call('listUploadLinks', {});
  const unknown = ids.find((one) => !uploadLinks.some(({ id }) => id === one));
  if (unknown !== undefined) {
    throw new CommandError(exitCodes.refused, `No upload link has the id ${unknown}.`, {
      next: 'slipway request-files list shows those that work.',
      code: 'NOT_FOUND',
    });
  }
  for (const link of ids) await session.service.call('deleteUploadLink', { link });
  session.answer(
    { deleted: ids },
    ids.map((id) => `Ended ${id}.`),
  );
}

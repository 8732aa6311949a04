import { formatRelative } from '../web/app/texts/format.ts';
import { CommandError, exitCodes, usageError } from './command-error.ts';
import { domainIdOf } from './domain-commands.ts';
import type { Options } from './options.ts';
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

async function createLink(session: Session, { title, domain, notify }: Options): Promise<void> {
  const link = await session.service.call('createUploadLink', {
    ...(title !== undefined && { title }),
    ...(session.named !== undefined && { projectId: await requireProject(session) }),
    ...(domain !== undefined && { domainId: await domainIdOf(session, domain) }),
    ...(notify !== undefined && { notify }),
  });
  session.say('Who opens it can publish files in your name, once. It works for 24 hours.');
  session.say(`The same from a terminal: ${link.curl}`);
  session.answer(link, [link.pageUrl]);
}

async function listLinks(session: Session): Promise<void> {
  const { uploadLinks } = await session.service.call('listUploadLinks', {});
  if (uploadLinks.length === 0) {
    session.say('No upload link waits for files. Create one: slipway request-files --title TEXT');
  }
  session.answer(
    { uploadLinks },
    columns(
      uploadLinks.map(({ id, title, projectId, createdAt }) => [
        title ?? '(no title)',
        projectId === null ? 'a new project' : `a version of ${projectId}`,
        formatRelative(createdAt),
        id,
      ]),
    ),
  );
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

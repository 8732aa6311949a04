import type { Input } from '../web/app/api/contract.ts';
import { formatRelative, plural } from '../web/app/texts/format.ts';
import { usageError } from './command-error.ts';
import { changeOf } from './project-commands.ts';
import { requireProject, type Session } from './session.ts';
import { columns } from './terminal.ts';

/** `share`: creates a share link and prints it, lists those of the project with their opens, and ends some. */
export async function share(session: Session, [name, ...fields]: readonly string[]): Promise<void> {
  const projectId = await requireProject(session);
  if (name === undefined || (name === 'list' && fields.length === 0))
    return listLinks(session, projectId);
  if (name === 'rm') return endLinks(session, projectId, fields);
  const choices = Object.fromEntries(
    fields.map(changeOf).map(([field, value]) => [field, numberOf(field, value)]),
  );
  const input = { ...choices, projectId, name } satisfies Input<'createShareLink'>;
  const link = await session.service.call('createShareLink', input);
  for (const { message } of link.warnings ?? []) session.say(`Note: ${message}`);
  session.say('This address is shown only once.');
  session.answer(link, [link.url]);
}

async function listLinks(session: Session, projectId: string): Promise<void> {
  const { links } = await session.service.call('listShareLinks', { projectId });
  if (links.length === 0)
    session.say('This project has no share links. Create one: slipway share NAME');
  session.answer(
    { links },
    columns(
      links.map(({ id, name, state, opens, lastOpenedAt }) => [
        name,
        state,
        plural(opens, { one: '1 open', other: `${opens} opens` }),
        lastOpenedAt === null ? '' : formatRelative(lastOpenedAt),
        id,
      ]),
    ),
  );
}

/** @throws CommandError */
async function endLinks(session: Session, projectId: string, ids: readonly string[]) {
  if (ids.length === 0)
    throw usageError('Say which link.', 'Its id is in the list that slipway share prints.');
  for (const linkId of ids) await session.service.call('deleteShareLink', { projectId, linkId });
  session.say('Ended. Whoever has the page open gets nothing more.');
  session.answer({ deleted: ids }, []);
}

/** A password may look like a number, and stays a text. */
function numberOf(field: string, value: unknown): unknown {
  const isNumber = (field === 'maxOpens' || field === 'version') && /^\d+$/.test(String(value));
  return isNumber ? Number(value) : value;
}

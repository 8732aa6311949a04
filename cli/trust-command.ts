import { formatRelative } from '../web/app/texts/format.ts';
import { usageError } from './command-error.ts';
import { requireKey, type Session } from './session.ts';
import { columns, openInBrowser } from './terminal.ts';

/** `trust`: lists trusted publishers, shows the page that adds one, and removes them. */
export async function trust(
  session: Session,
  [action, operand, ...others]: readonly string[],
): Promise<void> {
  if (others.length > 0) throw unknownAction();
  if (action === 'add') return showForm(session, operand);
  requireKey(session);
  if (action === undefined) return listPublishers(session);
  if (action !== 'rm' || operand === undefined) throw unknownAction();
  const answer = await session.service.call('deleteTrustedPublisher', { publisherId: operand });
  session.answer(answer, ['Removed. Its keys no longer work.']);
}

function unknownAction() {
  return usageError(
    'Say what to do with which publisher.',
    'For example: slipway trust add octo/site, or: slipway trust rm ID',
  );
}

/** A key cannot give access to others, so a person does this in the browser; the form is filled in. */
async function showForm(session: Session, repository: string | undefined): Promise<void> {
  const { context, service, named, linked } = session;
  const address = new URL('/dashboard/keys', service.url);
  const fields = { repository, project: named ?? linked?.projectId };
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) address.searchParams.set(name, value);
  }
  const url = `${address.href}#publishers`;
  session.say('Open this page, check what it trusts, and add it:');
  session.answer({ url }, [url]);
  if (context.stderr.isTTY === true) await openInBrowser(context, url);
}

async function listPublishers({ service, answer, say }: Session): Promise<void> {
  const { publishers } = await service.call('listTrustedPublishers', {});
  if (publishers.length === 0) say('There are none yet. Add one: slipway trust add OWNER/NAME');
  answer(
    { publishers },
    columns(
      publishers.map(({ provider, repository, branch, environment, lastUsedAt, id }) => [
        provider,
        repository,
        branch ?? (environment === null ? 'pull requests' : `environment ${environment}`),
        lastUsedAt === null ? 'never used' : formatRelative(lastUsedAt),
        id,
      ]),
    ),
  );
}

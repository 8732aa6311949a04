import type { Output } from '../web/app/api/contract.ts';
import { usageError } from './command-error.ts';
import { requireKey, type Session } from './session.ts';
import { columns } from './terminal.ts';

/** `domains`: lists, adds, checks and removes the account's own domains. */
export async function domains(
  session: Session,
  [action, operand, ...others]: readonly string[],
): Promise<void> {
  requireKey(session);
  if (action === undefined) return listDomains(session);
  if (operand === undefined || others.length > 0) throw unknownAction();
  switch (action) {
    case 'add':
      return showDomain(session, await session.service.call('addDomain', { domain: operand }));
    case 'check': {
      const domainId = await domainIdOf(session, operand);
      return showDomain(session, await session.service.call('checkDomain', { domainId }));
    }
    case 'rm': {
      const domainId = await domainIdOf(session, operand);
      const answer = await session.service.call('deleteDomain', { domainId });
      return session.answer(answer, ['Removed.']);
    }
    default:
      throw unknownAction();
  }
}

/** The id of a domain by its name; an id stays as it is. */
export async function domainIdOf({ service }: Session, named: string): Promise<string> {
  const { domains: all } = await service.call('listDomains', {});
  return all.find(({ domain }) => domain === named)?.id ?? named;
}

function unknownAction() {
  return usageError(
    'Say what to do with which domain.',
    'For example: slipway domains add example.com',
  );
}

async function listDomains({ service, answer, say }: Session): Promise<void> {
  const { domains: all } = await service.call('listDomains', {});
  if (all.length === 0) say('There are no domains yet. Add one: slipway domains add example.com');
  answer({ domains: all }, columns(all.map(({ domain, status, id }) => [domain, status, id])));
}

function showDomain({ answer, say }: Session, detail: Output<'checkDomain'>): void {
  const missing = detail.records.filter(({ state }) => state !== 'ok');
  if (missing.length > 0)
    say(`Set these DNS records, then run: slipway domains check ${detail.domain}`);
  for (const { name, hint } of missing) if (hint !== null) say(`${name ?? 'A record'}: ${hint}`);
  answer(detail, [
    ...columns([
      ['Domain', detail.domain],
      ['Status', detail.status],
      ['Id', detail.id],
    ]),
    ...columns(
      detail.records.map(({ type, name, value, state }) => [
        type,
        name ?? '(not known yet)',
        value ?? '(not known yet)',
        state,
      ]),
    ),
  ]);
}

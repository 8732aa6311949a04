import { DomainId } from '../../contract/fields.ts';
import type { AccountCaller } from '../caller.ts';
import { CodedError } from '../errors.ts';
import type { StoredDomain } from './domain.ts';
import type { DomainStore } from './ports.ts';

/** The caller's domain with this id, unless it is being removed. */
export async function findOwnDomain(
  domains: Pick<DomainStore, 'get'>,
  { account }: Pick<AccountCaller, 'account'>,
  text: string,
): Promise<StoredDomain | undefined> {
  const { data: id } = DomainId.safeParse(text);
  const domain = id === undefined ? undefined : await domains.get(id);
  const isOwn = domain?.accountId === account.id && domain.removingAt === null;
  return isOwn ? domain : undefined;
}

/** Like {@link findOwnDomain}. @throws CodedError NOT_FOUND */
export async function requireOwnDomain(
  { domains }: { domains: Pick<DomainStore, 'get'> },
  caller: Pick<AccountCaller, 'account'>,
  text: string,
): Promise<StoredDomain> {
  const domain = await findOwnDomain(domains, caller, text);
  if (domain === undefined)
    throw new CodedError('NOT_FOUND', {
      error: 'There is no domain with this id in your account.',
      nextStep: 'Find the id with GET /v1/domains.',
    });
  return domain;
}

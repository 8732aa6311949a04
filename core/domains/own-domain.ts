import { DomainId } from '../../contract/fields.ts';
import type { AccountCaller } from '../caller.ts';
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

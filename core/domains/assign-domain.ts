import { DomainId } from '../../contract/fields.ts';
import type { AccountCaller } from '../caller.ts';
import { CodedError } from '../errors.ts';
import { referenceNotFound } from '../projects/settings/reference-not-found.ts';
import { isAssignable, type StoredDomain } from './domain.ts';
import { shownName } from './domain-name.ts';
import type { DomainStore } from './ports.ts';

/**
 * The caller's domain to which a project is to be assigned. The write that assigns it checks again.
 * @throws CodedError NOT_FOUND, DOMAIN_NOT_READY
 */
export async function requireAssignable(
  domains: Pick<DomainStore, 'get'>,
  { account }: Pick<AccountCaller, 'account'>,
  text: string,
): Promise<StoredDomain> {
  const { data: id } = DomainId.safeParse(text);
  const domain = id === undefined ? undefined : await domains.get(id);
  if (domain === undefined || domain.accountId !== account.id || domain.removingAt !== null)
    throw referenceNotFound('domainId', 'domain');
  if (!isAssignable(domain)) throw domainNotReady(domain);
  return domain;
}

/** The domain takes no projects now. */
export function domainNotReady(domain?: Pick<StoredDomain, 'name' | 'status'>): CodedError {
  const what = domain === undefined ? 'The domain' : shownName(domain.name);
  const status = domain === undefined ? '' : `: its status is \`${domain.status}\``;
  return new CodedError('DOMAIN_NOT_READY', { error: `${what} takes no projects now${status}.` });
}

import type { AccountCaller } from '../caller.ts';
import { CodedError } from '../errors.ts';
import { referenceNotFound } from '../projects/settings/reference-not-found.ts';
import { isAssignable, type StoredDomain } from './domain.ts';
import { shownName } from './domain-name.ts';
import { findOwnDomain } from './own-domain.ts';
import type { DomainStore } from './ports.ts';

/**
 * The caller's domain to which a project is to be assigned. The write that assigns it checks again.
 * @throws CodedError NOT_FOUND, DOMAIN_NOT_READY
 */
export async function requireAssignable(
  domains: Pick<DomainStore, 'get'>,
  caller: Pick<AccountCaller, 'account'>,
  text: string,
): Promise<StoredDomain> {
  const domain = await findOwnDomain(domains, caller, text);
  if (domain === undefined) throw referenceNotFound('domainId', 'domain');
  if (!isAssignable(domain)) throw domainNotReady(domain);
  return domain;
}

/** The domain takes no projects now. */
export function domainNotReady(domain?: Pick<StoredDomain, 'name' | 'status'>): CodedError {
  const what = domain === undefined ? 'The domain' : shownName(domain.name);
  const status = domain === undefined ? '' : `: its status is \`${domain.status}\``;
  return new CodedError('DOMAIN_NOT_READY', { error: `${what} takes no projects now${status}.` });
}

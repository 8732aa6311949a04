import { requirePaid } from '../accounts/account.ts';
import type { AccountCaller } from '../caller.ts';
import { CodedError } from '../errors.ts';
import { ReferenceNotFound } from '../projects/change/reference-not-found.ts';
import { isAssignable, type StoredDomain } from './domain.ts';
import { shownName } from './domain-name.ts';
import { findOwnDomain } from './own-domain.ts';
import type { DomainStore } from './ports.ts';

/** Dependencies of {@link requireAssignable}. */
export interface AssignDomainDeps {
  domains: Pick<DomainStore, 'get'>;
  now(): Date;
}

/**
 * The caller's domain to which a project is to be assigned. The write that assigns it checks again.
 * After its plan has ended, a domain keeps its projects for a while, and accepts no others.
 * @throws CodedError FREE_TIER_RESTRICTED, NOT_FOUND, DOMAIN_NOT_READY
 */
export async function requireAssignable(
  deps: AssignDomainDeps,
  caller: Pick<AccountCaller, 'account'>,
  text: string,
): Promise<StoredDomain> {
  requirePaid(caller.account, deps.now());
  const domain = await findOwnDomain(deps.domains, caller, text);
  if (domain === undefined) throw new ReferenceNotFound('domainId');
  if (!isAssignable(domain)) throw domainNotReady(domain);
  return domain;
}

/** The error for a domain that accepts no projects now. */
export function domainNotReady(domain?: Pick<StoredDomain, 'name' | 'status'>): CodedError {
  const what = domain === undefined ? 'The domain' : shownName(domain.name);
  const status = domain === undefined ? '' : `: its status is \`${domain.status}\``;
  return new CodedError('DOMAIN_NOT_READY', { error: `${what} takes no projects now${status}.` });
}

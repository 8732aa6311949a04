import type { DomainDetail } from '../../contract/domain.ts';
import type { AccountCaller } from '../caller.ts';
import { CodedError } from '../errors.ts';
import { instant } from '../instants.ts';
import { countAttempt } from '../limits/counters.ts';
import { advanceDomain, type AdvanceDomainDeps } from './advance-domain.ts';
import { beginRemoval } from './removal/begin-removal.ts';
import { claimName } from './claim-name.ts';
import { describeDomain, summarizeDomain } from './describe-domain.ts';
import { requireOwnDomain } from './own-domain.ts';
import { type OwnNames, parseDomainName } from './parse-domain-name.ts';

/** Dependencies of the use cases of `/v1/domains`. */
export interface DomainDeps extends AdvanceDomainDeps {
  ownNames: OwnNames;
  now(): Date;
}

/** Limited because every addition queries DNS. */
const addLimit = { limit: 30, windowSeconds: 3600 };
const checkLimit = { limit: 10, windowSeconds: 60 };
/**
 * For additions and checks together: each keeps a function busy until the zone's servers answer,
 * for at most 8 seconds.
 */
const dnsLimit = { limit: 15, windowSeconds: 60 };

/** The account's domains, newest first. */
export async function listDomains(
  deps: Pick<DomainDeps, 'domains'>,
  { account }: Pick<AccountCaller, 'account'>,
) {
  return { domains: (await deps.domains.list(account.id)).map(summarizeDomain) };
}

/**
 * Adds a domain. Its certificate is requested once the zone carries the proof.
 * @throws CodedError INVALID_REQUEST, DOMAIN_TAKEN, DOMAIN_LIMIT_REACHED, UNAVAILABLE, RATE_LIMITED
 */
export async function addDomain(
  deps: DomainDeps,
  caller: AccountCaller,
  input: { domain: string },
): Promise<DomainDetail> {
  requireOffered(deps);
  const now = deps.now();
  const parsed = parseDomainName(input.domain, deps.ownNames);
  if ('refused' in parsed) throw invalidName(parsed.refused);
  const counted = {
    key: `domains-added#${caller.account.id}`,
    rule: addLimit,
    what: 'new domains',
  };
  await countAttempt(deps.counters, caller, counted, now);
  await countLook(deps, caller, now);
  const domain = await claimName(deps, caller, parsed, now);
  try {
    await advanceDomain(deps, domain.id, now, { isRequested: true });
  } catch (error) {
    // Maintenance continues in the next minute.
    deps.onFailure({ domainId: domain.id }, error);
  }
  return describeDomain(deps, (await deps.domains.get(domain.id)) ?? domain);
}

/**
 * One of the caller's domains.
 * @throws CodedError NOT_FOUND
 */
export async function getDomain(
  deps: DomainDeps,
  caller: AccountCaller,
  input: { domainId: string },
): Promise<DomainDetail> {
  return describeDomain(deps, await requireOwnDomain(deps, caller, input.domainId));
}

/**
 * Checks the records of a domain now. A domain whose checks had become rare is checked often again.
 * @throws CodedError NOT_FOUND, RATE_LIMITED
 */
export async function checkDomain(
  deps: DomainDeps,
  caller: AccountCaller,
  input: { domainId: string },
): Promise<DomainDetail> {
  const domain = await requireOwnDomain(deps, caller, input.domainId);
  const now = deps.now();
  const counted = {
    key: `domain-checks#${domain.id}`,
    rule: checkLimit,
    what: 'checks of a domain',
  };
  await countAttempt(deps.counters, caller, counted, now);
  await countLook(deps, caller, now);
  if (domain.status === 'error_dns')
    await deps.domains.change(domain, { waitingSince: instant(now) });
  await advanceDomain(deps, domain.id, now, { isRequested: true });
  return describeDomain(deps, await requireOwnDomain(deps, caller, input.domainId));
}

function countLook({ counters }: Pick<DomainDeps, 'counters'>, caller: AccountCaller, now: Date) {
  const key = `domain-dns#${caller.account.id}`;
  return countAttempt(counters, caller, { key, rule: dnsLimit, what: 'checks of domains' }, now);
}

/**
 * Removes a domain: for its owner at once, at the edge within minutes.
 * @throws CodedError NOT_FOUND
 */
export async function deleteDomain(
  deps: Omit<DomainDeps, 'ownNames'>,
  caller: AccountCaller,
  input: { domainId: string },
) {
  const now = deps.now();
  const read = () => requireOwnDomain(deps, caller, input.domainId);
  const domain = await beginRemoval(deps.domains, read, now);
  if (domain !== undefined)
    await advanceDomain(deps, domain.id, now, { isRequested: true }).catch((error: unknown) =>
      deps.onFailure({ domainId: domain.id }, error),
    );
  return { deleted: true };
}

function requireOffered({ targets }: DomainDeps): void {
  if (targets.routingEndpoint !== '') return;
  throw new CodedError('UNAVAILABLE', {
    error: 'This installation serves no custom domains.',
    nextStep: 'Ask the operator of this service to give the sites domain a certificate.',
  });
}

function invalidName(message: string): CodedError {
  return new CodedError('INVALID_REQUEST', {
    error: message,
    details: [{ path: 'domain', message }],
  });
}

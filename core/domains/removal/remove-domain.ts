import { daySeconds, domainHeldDays } from '../../../contract/limits.ts';
import { instant, plusSeconds } from '../../instants.ts';
import type { StoredDomain } from '../domain.ts';
import { type DomainTrouble, reportTroubles } from '../domain-trouble.ts';
import type { DomainProjects, DomainStore, Tenants } from '../ports.ts';
import type { ProjectId, Slug } from '../../../contract/fields.ts';
import type { AccountCaller } from '../../caller.ts';
import type { AccountStore } from '../../accounts/ports.ts';
import type { Addresses } from '../../projects/addresses/addresses.ts';
import { isReserved } from '../../projects/addresses/check-slug.ts';
import { titleSlugs } from '../../projects/addresses/slugs.ts';
import { CodedError } from '../../errors.ts';
import { type ChangeProjectDeps, writeProject } from '../../projects/change/change-project.ts';
import { requireChanged } from '../../projects/change/project-change.ts';
import { requireOwnedProject } from '../../projects/owned-projects.ts';
import { unlimited } from '../../projects/quota.ts';

/** Dependencies of {@link continueRemoval}. */
export interface RemoveDomainDeps extends EmptyDomainDeps {
  domains: DomainStore;
  tenants: Pick<Tenants, 'setEnabled' | 'remove'>;
  /** Tells the operator. */
  reportTrouble(trouble: DomainTrouble): void;
}

/**
 * Continues the removal of a domain. Order matters: serving ends first; the row is last, so that
 * the next run finds what is left. The certificate is kept as long as the name is held: a domain
 * that proves the name gets it, without another request at ACM.
 */
export async function continueRemoval(
  deps: RemoveDomainDeps,
  domain: StoredDomain,
  now: Date,
): Promise<boolean> {
  if (await removeParts(deps, domain, now)) return true;
  reportTroubles(deps, domain, { isResting: false, now });
  return true;
}

async function keepCertificate(
  { domains }: RemoveDomainDeps,
  domain: StoredDomain,
): Promise<boolean> {
  const { certificateArn: arn, removingAt } = domain;
  if (arn === null || removingAt === null) return true;
  const until = instant(plusSeconds(new Date(removingAt), domainHeldDays * daySeconds));
  return domains.keepCertificate(domain, { arn, until });
}

/**
 * A check that began before the removal may still create the tenant, for as long as its function
 * runs. Without the row nobody would find that tenant, and CloudFront would refuse the name to all
 * others for ever.
 */
const latestCreationSeconds = 120;

/** Removes what is left; returns true when nothing is left. */
async function removeParts(
  deps: RemoveDomainDeps,
  domain: StoredDomain,
  now: Date,
): Promise<boolean> {
  if (domain.certificateArn !== null && !(await keepCertificate(deps, domain))) return false;
  const disabled = await deps.tenants.setEnabled(domain.id, false);
  await emptyDomain(deps, domain);
  // A project that was taken down has left the domain by now, and the bare name is held for it.
  await deps.domains.removeRoot(domain);
  if (disabled !== 'done') return false;
  if ((await deps.tenants.remove(domain.id)) !== 'removed') return false;
  if (instant(plusSeconds(now, -latestCreationSeconds)) < (domain.removingAt ?? '')) return false;
  return deps.domains.endRemoval(domain);
}

interface EmptyDomainDeps extends ChangeProjectDeps {
  accounts: Pick<AccountStore, 'get'>;
  addresses: Addresses;
  brand: string;
  domainProjects: DomainProjects;
}

/**
 * Gives every project of a domain an address of this service again: its slug if that is free, or its
 * slug with a random tail. Can be repeated; the domain's count of projects tells when it is done.
 */
async function emptyDomain(deps: EmptyDomainDeps, domain: StoredDomain): Promise<void> {
  const account = await deps.accounts.get(domain.accountId);
  if (account === undefined) return;
  const caller = { account, address: '', requestId: domain.id };
  for (const { id } of await deps.domainProjects.listIn(account.id, domain.id)) {
    await leaveDomain(deps, caller, id, domain).catch((error: unknown) =>
      deps.onFailure({ projectId: id, domainId: domain.id }, error),
    );
  }
}

/**
 * Includes a project whose first upload is still being stored: its worker publishes it at the new
 * address.
 */
async function leaveDomain(
  deps: EmptyDomainDeps,
  caller: AccountCaller,
  projectId: ProjectId,
  { id }: StoredDomain,
): Promise<void> {
  let candidates: Iterator<Slug> | undefined;
  for (;;) {
    try {
      await writeProject(deps, requireChanged, async () => {
        const project = await requireOwnedProject(deps.projects, caller, projectId);
        if (project.domainId !== id) return { project, next: undefined };
        const live = await deps.projects.getVersion(project.id, project.version);
        if (live === undefined && project.version > 0) return undefined;
        candidates ??= titleSlugs(project.slug, (one) => !isReserved(one, deps.brand));
        const { value: slug, done } = candidates.next();
        if (done === true) throw new Error('no address is free for a project that left its domain');
        const fields = { domainId: null, slug, host: deps.addresses.hostOf(slug) };
        // `any`: projects of a suspended account leave too. They stay blocked, and the domain must
        // become free.
        return { project, next: { fields, live, limits: unlimited, expects: 'any' } };
      });
      return;
    } catch (error) {
      if (!(error instanceof CodedError) || error.code !== 'SLUG_TAKEN') throw error;
    }
  }
}

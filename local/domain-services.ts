import { startAcm } from './acm/acm.ts';
import { type CertificateStore, certificateStore } from './acm/certificate-store.ts';
import { isDeployed } from './cloudfront/customer-tenant.ts';
import { type TenantStore, tenantStore } from './cloudfront/tenant-store.ts';
import { type LocalDns, startDns } from './dns/dns.ts';
import type { CustomerTenants } from './edge/customer-tenants.ts';
import type { Iam } from './iam/iam.ts';
import type { CallCounts } from './operator/operator.ts';
import { type Failure, type Failures, orderedFailures } from './operator/failures.ts';
import type { Clock } from './time/clock.ts';

export interface DomainServicesOptions {
  stateDir: string;
  clock: Clock;
  iam: Iam;
  counts: CallCounts;
  /** How long ACM and CloudFront take, and how long resolvers remember; 5 by default. */
  domainDelaySeconds?: number | undefined;
}

/** What custom domains need of AWS, and of DNS. */
export interface DomainServices {
  dns: LocalDns;
  acm: string;
  certificates: CertificateStore;
  tenants: TenantStore;
  /** How long a change of a tenant takes to reach the edges. */
  deployMs: number;
  failures: Failures;
  /** Certificates, tenants and zones, as `/_local/` shows them. */
  state(): unknown;
}

const DEFAULT_DELAY_SECONDS = 5;

/** Starts DNS and ACM, and opens the tenants; `track` gets each of them to close it later. */
export async function startDomainServices(
  options: DomainServicesOptions,
  track: <T extends { close(): Promise<void> }>(service: T) => T,
): Promise<DomainServices> {
  const { stateDir, clock, iam, counts } = options;
  const { domainDelaySeconds: delay = DEFAULT_DELAY_SECONDS } = options;
  const now = () => clock.now().getTime();
  const dns = track(await startDns({ stateDir, clock, ttlSeconds: Math.ceil(delay) }));
  const tenants = tenantStore(stateDir);
  const certificates = certificateStore({
    stateDir,
    clock,
    lookUp: (name, type) => dns.lookUp(name, type),
    issueDelayMs: delay * 1000,
    usersOf: (arn) => tenants.usersOf(arn, now()),
  });
  const failures = orderedFailures();
  const acm = track(
    await startAcm({
      clock,
      iam,
      store: certificates,
      recordDelayMs: delay * 1000,
      failures,
      onCall: (action) => counts.add('acm', action),
    }),
  );
  const state = () => ({
    certificates: certificates.list(),
    tenants: tenants.list().map(({ before, ...one }) => ({
      ...one,
      status: isDeployed({ ...one, before }, now()) ? 'Deployed' : 'InProgress',
    })),
    dns: dns.zones.zones(),
  });
  return { dns, acm: acm.url, certificates, tenants, deployMs: delay * 1000, failures, state };
}

/** The tenants as edges know them. */
export function edgeTenants(
  { tenants }: Pick<DomainServices, 'tenants'>,
  clock: Pick<Clock, 'now'>,
): CustomerTenants {
  return {
    forDomain: (domain) => tenants.forDomain(domain, clock.now().getTime()),
    has: (id) => tenants.find(id)?.id === id,
  };
}

/** What a person can change at `/_local/`. */
export function controlOf({ dns, failures }: Pick<DomainServices, 'dns' | 'failures'>) {
  return { dns, fail: (failure: Failure) => failures.add(failure) };
}

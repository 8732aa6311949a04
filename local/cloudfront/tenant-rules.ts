import { isDnsName } from '../dns/zone-records.ts';
import { type Certificate, coversName } from '../acm/certificate.ts';
import { CloudFrontError } from './cloudfront-answer.ts';
import type { TenantConfig } from './customer-tenant.ts';

/** What the templates define. */
export interface EdgeConfig {
  /** The names of the parameters of a distribution's tenants; undefined if there is no such distribution with tenants. */
  tenantParameters(distributionId: string): readonly string[] | undefined;
  connectionGroup(
    id: string,
  ): { name: string; routingEndpoint: string; enabled: boolean } | undefined;
  /** Whether a distribution or a tenant of the templates has this domain. */
  hasDomain(domain: string): boolean;
}

const MAX_DOMAINS = 100;
/** "Maximum number of parameters" of a tenant. */
const MAX_PARAMETERS = 10;
const TENANT_NAME = /^[a-zA-Z0-9][a-zA-Z0-9\-.]{1,126}[a-zA-Z0-9]$/;

function invalid(message: string): never {
  throw new CloudFrontError('InvalidArgument', message);
}

export function requireName(name: string | undefined): string {
  if (name !== undefined && TENANT_NAME.test(name)) return name;
  return invalid('The name must have 3 to 128 letters, digits, hyphens and dots.');
}

/** Throws what CloudFront answers to a configuration that it does not accept. */
export function requireValidConfig(
  config: TenantConfig,
  edge: EdgeConfig,
  certificate: (arn: string) => Certificate | undefined,
): void {
  const { distributionId, connectionGroupId, domains, parameters, certificateArn } = config;
  const defined = edge.tenantParameters(distributionId);
  if (defined === undefined) {
    throw new CloudFrontError(
      'EntityNotFound',
      'There is no distribution of this id that has tenants.',
    );
  }
  if (connectionGroupId !== undefined && edge.connectionGroup(connectionGroupId) === undefined) {
    throw new CloudFrontError('EntityNotFound', 'There is no connection group of this id.');
  }
  if (domains.length === 0 || domains.length > MAX_DOMAINS) {
    invalid(`A tenant has 1 to ${MAX_DOMAINS} domains.`);
  }
  if (!domains.every((one) => isDnsName(one) && one.includes('.'))) {
    invalid('A domain is not valid.');
  }
  requireParameters(parameters, defined);
  requireCertificate(
    certificateArn === undefined ? undefined : certificate(certificateArn),
    domains,
  );
}

function requireParameters(
  parameters: TenantConfig['parameters'],
  defined: readonly string[],
): void {
  if (parameters.length > MAX_PARAMETERS) invalid('The tenant has too many parameters.');
  const unknown = parameters.find(({ name }) => !defined.includes(name));
  if (unknown !== undefined) {
    invalid(`The distribution does not define the parameter ${unknown.name}.`);
  }
}

/** The local distribution has no certificate that tenants could use. */
function requireCertificate(
  certificate: Certificate | undefined,
  domains: readonly string[],
): void {
  if (certificate?.status !== 'ISSUED') {
    return invalid(
      "The specified SSL certificate doesn't exist, isn't in us-east-1 region, isn't valid, or doesn't include a valid certificate chain.",
    );
  }
  const uncovered = domains.find((domain) => !coversName(certificate, domain));
  if (uncovered !== undefined) invalid(`The certificate does not cover ${uncovered}.`);
}

/** Throws if somebody has one of the domains. Overlapping wildcards are allowed within an account. */
export function requireFreeDomains(
  domains: readonly string[],
  others: readonly TenantConfig[],
  edge: Pick<EdgeConfig, 'hasDomain'>,
): void {
  const inUse = domains.find(
    (domain) => edge.hasDomain(domain) || others.some((one) => one.domains.includes(domain)),
  );
  if (inUse === undefined) return;
  throw new CloudFrontError(
    'CNAMEAlreadyExists',
    'One or more of the CNAMEs you provided are already associated with a different resource.',
  );
}

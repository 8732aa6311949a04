import {
  GetConnectionGroupCommand,
  GetDistributionTenantByDomainCommand,
  ListConflictingAliasesCommand,
  paginateListDistributions,
} from '@aws-sdk/client-cloudfront';
import { isNamed } from './account-state.ts';
import { operatorCloudFront, type OperatorReach } from './operator-client.ts';

/** The CloudFront hosts that serve a stage. Only reads. */
export type EdgeAddresses = ReturnType<typeof edgeAddresses>;

export function edgeAddresses(reach: OperatorReach) {
  const client = operatorCloudFront(reach);
  return {
    /** Whether the account has a distribution, which it can only create after its verification. */
    async hasDistribution() {
      for await (const { DistributionList: list } of paginateListDistributions({ client }, {})) {
        if ((list?.Items ?? []).length > 0) return true;
      }
      return false;
    },
    /** The host of the distribution with this alias; undefined if there is none. */
    async ofAlias(alias: string) {
      for await (const { DistributionList: list } of paginateListDistributions({ client }, {})) {
        const found = list?.Items?.find(({ Aliases }) => Aliases?.Items?.includes(alias));
        if (found !== undefined) return found.DomainName;
      }
      return undefined;
    },
    /**
     * Distributions of any AWS account that have this name, parts of their ids hidden. CloudFront tells only
     * about a distribution whose certificate has the name; undefined if no distribution of this account does.
     */
    async holdersOf(Alias: string) {
      for await (const { DistributionList: list } of paginateListDistributions({ client }, {})) {
        for (const { Id: DistributionId } of list?.Items ?? []) {
          const command = new ListConflictingAliasesCommand({ DistributionId, Alias });
          const found = await client.send(command).catch(undefinedIfNotCovered);
          if (found === undefined) continue;
          return (found.ConflictingAliasesList?.Items ?? []).map((one) => ({
            distribution: one.DistributionId ?? '',
            account: one.AccountId ?? '',
          }));
        }
      }
      return undefined;
    },
    /** The host to which names of a distribution tenant lead; undefined if there is none. */
    async ofTenantDomain(domain: string) {
      try {
        const get = new GetDistributionTenantByDomainCommand({ Domain: domain });
        const { DistributionTenant: tenant } = await client.send(get);
        if (tenant?.ConnectionGroupId === undefined) return undefined;
        const group = new GetConnectionGroupCommand({ Identifier: tenant.ConnectionGroupId });
        return (await client.send(group)).ConnectionGroup?.RoutingEndpoint;
      } catch (error) {
        if (isNamed(error, 'EntityNotFound')) return undefined;
        throw error;
      }
    },
  };
}

/** CloudFront's refusal for a distribution without a certificate that has the name. */
function undefinedIfNotCovered(error: unknown): undefined {
  if (!isNamed(error, 'InvalidArgument')) throw error;
}

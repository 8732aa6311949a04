import {
  CloudFrontClient,
  CloudFrontServiceException,
  CreateDistributionTenantCommand,
  DeleteDistributionTenantCommand,
  type DistributionTenant,
  GetDistributionTenantCommand,
  UpdateDistributionTenantCommand,
} from '@aws-sdk/client-cloudfront';
import type { DomainId } from '../../contract/fields.ts';
import type { Tenants, TenantState } from '../../core/domains/ports.ts';
import { awsDeadlines } from '../failures/service-failure.ts';
import { domainTags } from '../../contract/domain.ts';

/** The settings that all tenants of an installation share. */
export interface TenantTarget {
  distributionId: string;
  connectionGroupId: string;
  stage: string;
}

/** The parameter that the edge function passes on, so that sites are found by tenant and host. */
const domainParameter = 'domainId';

/** Tenants of the visitor distribution. Each is named after the id of its domain. */
export function tenants(
  target: TenantTarget,
  client = new CloudFrontClient(awsDeadlines),
): Tenants {
  return {
    async describe(id) {
      return stateOf(await find(client, id));
    },
    async create({ id, name, certificateArn }) {
      const command = new CreateDistributionTenantCommand({
        Name: id,
        DistributionId: target.distributionId,
        ConnectionGroupId: target.connectionGroupId,
        Domains: [{ Domain: `*.${name}` }, { Domain: name }],
        Customizations: { Certificate: { Arn: certificateArn } },
        Parameters: [{ Name: domainParameter, Value: id }],
        Tags: {
          Items: [
            { Key: domainTags.domain, Value: id },
            { Key: domainTags.stage, Value: target.stage },
          ],
        },
        Enabled: true,
      });
      return unlessFailed(client.send(command), {
        // An earlier run crashed after this call and before it wrote the row.
        EntityAlreadyExists: 'done',
        CNAMEAlreadyExists: 'conflict',
      });
    },
    async setEnabled(id, enabled) {
      const found = await find(client, id);
      if (found === 'busy') return 'busy';
      if (found?.tenant.Id === undefined || found.tenant.Enabled === enabled) return 'done';
      const { tenant, ETag: IfMatch } = found;
      const command = new UpdateDistributionTenantCommand({
        Id: tenant.Id,
        IfMatch,
        DistributionId: tenant.DistributionId,
        ConnectionGroupId: tenant.ConnectionGroupId,
        Domains: (tenant.Domains ?? []).map(({ Domain }) => ({ Domain })),
        Customizations: tenant.Customizations,
        Parameters: tenant.Parameters,
        Enabled: enabled,
      });
      const outcome = await unlessFailed(client.send(command), {});
      return outcome === 'conflict' ? 'busy' : outcome;
    },
    remove: (id) => remove(client, id),
  };
}

async function find(client: CloudFrontClient, id: DomainId) {
  try {
    const command = new GetDistributionTenantCommand({ Identifier: id });
    const { DistributionTenant: tenant, ETag } = await client.send(command);
    return tenant === undefined ? undefined : { tenant, ETag };
  } catch (error) {
    if (errorName(error) === 'EntityNotFound') return undefined;
    if (passingErrors.has(errorName(error))) return 'busy';
    throw error;
  }
}

function stateOf(found: { tenant: DistributionTenant } | 'busy' | undefined): TenantState {
  if (found === 'busy') return { kind: 'unknown' };
  if (found === undefined) return { kind: 'none' };
  const { Status, Enabled } = found.tenant;
  return { kind: Status === 'Deployed' ? 'deployed' : 'deploying', enabled: Enabled === true };
}

/** CloudFront deletes only a tenant that is disabled and deployed. */
async function remove(client: CloudFrontClient, id: DomainId): Promise<'removed' | 'busy'> {
  const found = await find(client, id);
  if (found === 'busy') return 'busy';
  if (found?.tenant.Id === undefined) return 'removed';
  if (found.tenant.Enabled === true || found.tenant.Status !== 'Deployed') return 'busy';
  const { ETag: IfMatch } = found;
  const command = new DeleteDistributionTenantCommand({ Id: found.tenant.Id, IfMatch });
  const outcome = await unlessFailed(client.send(command), { EntityNotFound: 'done' });
  return outcome === 'done' ? 'removed' : 'busy';
}

type Outcome = 'done' | 'conflict' | 'busy';

/** Errors of quotas, throttling and concurrent changes, after which maintenance tries again. */
const passingErrors = new Set([
  'EntityLimitExceeded',
  'PreconditionFailed',
  'InvalidIfMatchVersion',
  'ResourceNotDisabled',
  'CannotUpdateEntityWhileInUse',
  'CannotDeleteEntityWhileInUse',
  'Throttling',
  'ThrottlingException',
  'TooManyRequestsException',
]);

async function unlessFailed(
  call: Promise<unknown>,
  known: Readonly<Record<string, Outcome>>,
): Promise<Outcome> {
  try {
    await call;
    return 'done';
  } catch (error) {
    const name = errorName(error);
    const outcome = known[name];
    if (outcome !== undefined) return outcome;
    if (passingErrors.has(name)) return 'busy';
    throw error;
  }
}

function errorName(error: unknown): string {
  return error instanceof CloudFrontServiceException ? error.name : '';
}

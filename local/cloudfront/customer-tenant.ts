import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { globalArn } from '../assembly/resource-type.ts';
import { Tag } from '../acm/certificate.ts';

/** The part of a tenant that a call can change, and that the edge serves by. */
export const TenantConfig = z.strictObject({
  distributionId: z.string(),
  connectionGroupId: z.string().optional(),
  domains: z.array(z.string()),
  parameters: z.array(z.strictObject({ name: z.string(), value: z.string() })),
  certificateArn: z.string().optional(),
  enabled: z.boolean(),
});
export type TenantConfig = z.infer<typeof TenantConfig>;

/** A tenant that was created by the API. Instants are milliseconds since 1970. */
export const CustomerTenant = z.strictObject({
  id: z.string(),
  name: z.string(),
  etag: z.string(),
  config: TenantConfig,
  /** What the edge serves by until `deployedAt`; none for a new tenant. */
  before: TenantConfig.optional(),
  deployedAt: z.number(),
  createdAt: z.number(),
  changedAt: z.number(),
  tags: z.array(Tag),
});
export type CustomerTenant = z.infer<typeof CustomerTenant>;

export function tenantArn(id: string): string {
  return globalArn('cloudfront', `distribution-tenant/${id}`);
}

function newEtag(): string {
  return `E${randomBytes(8).toString('hex').toUpperCase().slice(0, 13)}`;
}

/** A new tenant, which the edges get after `deployMs`. */
export function createdTenant(
  { name, tags, config }: Pick<CustomerTenant, 'name' | 'tags' | 'config'>,
  { now, deployMs }: { now: number; deployMs: number },
): CustomerTenant {
  const id = `dt_${randomBytes(14).toString('hex')}`;
  const instants = { createdAt: now, changedAt: now, deployedAt: now + deployMs };
  return { id, name, tags, config, etag: newEtag(), ...instants };
}

/** A changed tenant. Until the change is deployed, the edges keep what they have. */
export function changedTenant(
  tenant: CustomerTenant,
  config: TenantConfig,
  { now, deployMs }: { now: number; deployMs: number },
): CustomerTenant {
  const { before: _, ...others } = tenant;
  const served = servedConfig(tenant, now);
  const instants = { changedAt: now, deployedAt: now + deployMs };
  return { ...others, ...instants, config, etag: newEtag(), ...(served && { before: served }) };
}

export function isDeployed({ deployedAt }: CustomerTenant, now: number): boolean {
  return now >= deployedAt;
}

/** What the edges serve by now; undefined while they do not know the tenant. */
export function servedConfig(tenant: CustomerTenant, now: number): TenantConfig | undefined {
  return isDeployed(tenant, now) ? tenant.config : tenant.before;
}

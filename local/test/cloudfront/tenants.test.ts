import {
  type CloudFrontClient,
  CreateDistributionTenantCommand,
  type CreateDistributionTenantCommandInput,
  CreateInvalidationForDistributionTenantCommand,
  DeleteDistributionTenantCommand,
  GetConnectionGroupCommand,
  GetDistributionTenantByDomainCommand,
  GetDistributionTenantCommand,
  ListDistributionTenantsCommand,
  UpdateDistributionTenantCommand,
} from '@aws-sdk/client-cloudfront';
import { describe, expect, test } from '@jest/globals';
import { tenantStore } from '../../cloudfront/tenant-store.ts';
import { someTenants } from './some-tenants.ts';

type Started = Awaited<ReturnType<typeof someTenants>>;

function inputOf({
  certificates,
}: Pick<Started, 'certificates'>): CreateDistributionTenantCommandInput {
  return {
    Name: 'domain-1',
    DistributionId: 'D',
    ConnectionGroupId: 'G',
    Domains: [{ Domain: '*.customer.com' }, { Domain: 'customer.com' }],
    Parameters: [{ Name: 'domainId', Value: 'd<1>' }],
    Customizations: { Certificate: { Arn: certificates[0]?.arn } },
    Tags: { Items: [{ Key: 'slipway:domain', Value: 'd1' }] },
  };
}

async function created(
  started: Started,
  change: Partial<CreateDistributionTenantCommandInput> = {},
) {
  const command = new CreateDistributionTenantCommand({ ...inputOf(started), ...change });
  const { DistributionTenant, ETag } = await started.client.send(command);
  return { Id: DistributionTenant?.Id ?? '', ETag: ETag ?? '', tenant: DistributionTenant };
}

async function read(client: CloudFrontClient, Identifier: string) {
  return client.send(new GetDistributionTenantCommand({ Identifier }));
}

/** Disables and deletes. */
async function removed({ client, advance }: Started, id: string) {
  const { ETag } = await read(client, id);
  const disable = { Id: id, IfMatch: ETag, DistributionId: 'D', Enabled: false };
  const disabled = await client.send(new UpdateDistributionTenantCommand(disable));
  advance(30);
  await client.send(new DeleteDistributionTenantCommand({ Id: id, IfMatch: disabled.ETag }));
}

test('a tenant is created, deployed after a while, and found by id, name and domain', async () => {
  const started = await someTenants();
  const { client, advance } = started;
  const { Id, ETag, tenant } = await created(started);
  expect(tenant).toMatchObject({
    Name: 'domain-1',
    Status: 'InProgress',
    Enabled: true,
    Domains: [
      { Domain: '*.customer.com', Status: 'inactive' },
      { Domain: 'customer.com', Status: 'inactive' },
    ],
    Parameters: [{ Name: 'domainId', Value: 'd<1>' }],
    ConnectionGroupId: 'G',
    Tags: { Items: [{ Key: 'slipway:domain', Value: 'd1' }] },
  });
  advance(30);
  const found = await read(client, 'domain-1');
  expect(found).toMatchObject({ ETag, DistributionTenant: { Id, Status: 'Deployed' } });
  const byDomain = await client.send(
    new GetDistributionTenantByDomainCommand({ Domain: '*.customer.com' }),
  );
  expect(byDomain.DistributionTenant?.Id).toBe(Id);
});

test('edges keep what they have until a change is deployed, and restarts lose nothing', async () => {
  const started = await someTenants();
  const { client, advance, now, store, stateDir } = started;
  const { Id, ETag } = await created(started);
  const served = () => store.forDomain('*.customer.com', now())?.config.enabled;
  expect(served()).toBeUndefined();
  advance(30);
  expect(served()).toBe(true);
  await client.send(
    new UpdateDistributionTenantCommand({ Id, IfMatch: ETag, DistributionId: 'D', Enabled: false }),
  );
  expect(served()).toBe(true);
  expect(tenantStore(stateDir).forDomain('customer.com', now())?.config.enabled).toBe(true);
  advance(30);
  expect(served()).toBe(false);
});

describe('versions', () => {
  test('a change needs the current ETag', async () => {
    const started = await someTenants();
    const { client } = started;
    const { Id, ETag } = await created(started);
    const update = (IfMatch?: string) =>
      client.send(
        new UpdateDistributionTenantCommand({ Id, IfMatch, DistributionId: 'D', Enabled: false }),
      );
    await expect(update('')).rejects.toMatchObject({ name: 'InvalidIfMatchVersion' });
    await update(ETag);
    await expect(update(ETag)).rejects.toMatchObject({ name: 'PreconditionFailed' });
    const gone = new DeleteDistributionTenantCommand({ Id, IfMatch: ETag });
    await expect(client.send(gone)).rejects.toMatchObject({ name: 'PreconditionFailed' });
  });

  test('an enabled tenant cannot be deleted, nor one whose end has not reached every edge', async () => {
    const started = await someTenants();
    const { client, advance } = started;
    const { Id, ETag } = await created(started);
    const remove = (IfMatch?: string) =>
      client.send(new DeleteDistributionTenantCommand({ Id, IfMatch }));
    await expect(remove(ETag)).rejects.toMatchObject({ name: 'ResourceNotDisabled' });
    const { ETag: disabled } = await client.send(
      new UpdateDistributionTenantCommand({
        Id,
        IfMatch: ETag,
        DistributionId: 'D',
        Enabled: false,
      }),
    );
    await expect(remove(disabled)).rejects.toMatchObject({ name: 'ResourceNotDisabled' });
    advance(30);
    await remove(disabled);
    await expect(read(client, Id)).rejects.toMatchObject({ name: 'EntityNotFound' });
  });
});

test.each<[string, string, (started: Started) => Partial<CreateDistributionTenantCommandInput>]>([
  [
    'a name that exists',
    'EntityAlreadyExists',
    () => ({ Domains: [{ Domain: 'a.customer.com' }] }),
  ],
  ['a domain of another tenant', 'CNAMEAlreadyExists', () => ({ Name: 'domain-2' })],
  [
    'an unknown distribution',
    'EntityNotFound',
    () => ({ Name: 'domain-2', DistributionId: 'X', Domains: [{ Domain: 'a.customer.com' }] }),
  ],
  [
    'an unknown connection group',
    'EntityNotFound',
    () => ({ Name: 'domain-2', ConnectionGroupId: 'X', Domains: [{ Domain: 'a.customer.com' }] }),
  ],
  [
    'a parameter that the distribution does not define',
    'InvalidArgument',
    () => ({
      Name: 'domain-2',
      Domains: [{ Domain: 'a.customer.com' }],
      Parameters: [{ Name: 'other', Value: 'x' }],
    }),
  ],
  [
    'a certificate of other names',
    'InvalidArgument',
    ({ certificates }) => ({
      Name: 'domain-2',
      Domains: [{ Domain: 'a.customer.com' }],
      Customizations: { Certificate: { Arn: certificates[1]?.arn } },
    }),
  ],
  [
    'a name two levels below the wildcard',
    'InvalidArgument',
    () => ({ Name: 'domain-2', Domains: [{ Domain: 'a.b.customer.com' }] }),
  ],
  ['a short name', 'InvalidArgument', () => ({ Name: 'x' })],
  [
    'no certificate',
    'InvalidArgument',
    () => ({ Name: 'domain-2', Customizations: {}, Domains: [{ Domain: 'a.customer.com' }] }),
  ],
])('refuses %s: %s', async (_, name, change) => {
  const started = await someTenants();
  await created(started);
  await expect(created(started, change(started))).rejects.toMatchObject({ name });
});

test('refuses a certificate that is not issued yet', async () => {
  const started = await someTenants();
  const [certificate] = started.certificates;
  if (certificate !== undefined) certificate.status = 'PENDING_VALIDATION';
  await expect(created(started)).rejects.toMatchObject({ name: 'InvalidArgument' });
});

test('a removed tenant frees its name, its domains and its certificate', async () => {
  const started = await someTenants();
  const { store, certificates, now } = started;
  const { Id } = await created(started);
  const arn = certificates[0]?.arn ?? '';
  expect(store.usersOf(arn, now())).toHaveLength(1);
  await removed(started, Id);
  expect(store.usersOf(arn, now())).toEqual([]);
  await created(started);
});

test('another operation is refused', async () => {
  const { client } = await someTenants();
  const list = client.send(new ListDistributionTenantsCommand({}));
  await expect(list).rejects.toMatchObject({ name: 'NotImplemented' });
});

test('shows a connection group, and invalidates a new tenant', async () => {
  const started = await someTenants();
  const { client, invalidations } = started;
  const { ConnectionGroup } = await client.send(new GetConnectionGroupCommand({ Identifier: 'G' }));
  expect(ConnectionGroup).toMatchObject({ Id: 'G', RoutingEndpoint: 'g.cloudfront.net' });
  const { Id } = await created(started);
  const Paths = { Quantity: 1, Items: ['/*'] };
  const InvalidationBatch = { Paths, CallerReference: '1' };
  await client.send(new CreateInvalidationForDistributionTenantCommand({ Id, InvalidationBatch }));
  expect(invalidations).toEqual([[Id, ['/*']]]);
});

describe('permissions', () => {
  test('creating needs the resource *, and tags need a permission of their own', async () => {
    const scoped = 'arn:aws:cloudfront::000000000000:distribution-tenant/*';
    const narrow = await someTenants({ resource: scoped });
    await expect(created(narrow)).rejects.toMatchObject({ name: 'AccessDenied' });
    const untagged = await someTenants({ actions: ['cloudfront:CreateDistributionTenant'] });
    await expect(created(untagged)).rejects.toMatchObject({ name: 'AccessDenied' });
    await created(untagged, { Tags: undefined });
  });

  test('a condition on a tag of something that is gone denies the call', async () => {
    const conditions = { StringLike: { 'aws:ResourceTag/slipway:domain': '*' } };
    const { client } = await someTenants({ conditions });
    await expect(read(client, 'dt_gone')).rejects.toMatchObject({ name: 'AccessDenied' });
  });
});

test('an ordered failure is the next answer of its action', async () => {
  const started = await someTenants();
  const failure = { service: 'cloudfront', error: 'Throttling', times: 1 } as const;
  started.failures.add({ ...failure, action: 'CreateDistributionTenant' });
  await expect(created(started)).rejects.toMatchObject({ name: 'Throttling' });
  await created(started);
});

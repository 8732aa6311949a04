import { describe, expect, test } from '@jest/globals';
import { tenants } from '../../../adapters/domains/tenants.ts';
import { someTenants } from '../../../local/test/cloudfront/some-tenants.ts';
import { domainId as id } from '../../fixtures/domains/a-domain.ts';

async function atEdge() {
  const started = await someTenants();
  const target = { distributionId: 'D', connectionGroupId: 'G', stage: 'prod' };
  const certificateArn = started.certificates[0]?.arn ?? '';
  const domain = { id, name: 'customer.com', certificateArn };
  return { ...started, domain, tenants: tenants(target, started.client) };
}

test('a tenant is created, switched off and removed, each step as often as it is tried', async () => {
  const edge = await atEdge();
  expect(await edge.tenants.describe(id)).toEqual({ kind: 'none' });
  for (let count = 0; count < 2; count += 1) {
    expect(await edge.tenants.create(edge.domain)).toBe('done');
  }
  expect(await edge.tenants.describe(id)).toEqual({ kind: 'deploying', enabled: true });
  edge.advance(30);
  expect(await edge.tenants.describe(id)).toEqual({ kind: 'deployed', enabled: true });
  expect(await edge.tenants.remove(id)).toBe('busy');
  for (let count = 0; count < 2; count += 1) {
    expect(await edge.tenants.setEnabled(id, false)).toBe('done');
  }
  // It is removed only when all edges know that it is off.
  expect(await edge.tenants.remove(id)).toBe('busy');
  edge.advance(30);
  for (let count = 0; count < 2; count += 1) expect(await edge.tenants.remove(id)).toBe('removed');
  expect(edge.store.list()).toEqual([]);
});

describe('while CloudFront throttles', () => {
  const passing = ['Throttling', 'TooManyRequestsException'] as const;

  test.each(passing)('reading a tenant, every step waits (%s)', async (error) => {
    const edge = await atEdge();
    await edge.tenants.create(edge.domain);
    edge.advance(30);
    const action = 'GetDistributionTenant';
    edge.failures.add({ service: 'cloudfront', action, error, times: 3 });
    expect(await edge.tenants.describe(id)).toEqual({ kind: 'unknown' });
    expect(await edge.tenants.setEnabled(id, false)).toBe('busy');
    expect(await edge.tenants.remove(id)).toBe('busy');
    expect(await edge.tenants.describe(id)).toEqual({ kind: 'deployed', enabled: true });
  });

  test('changing a tenant, the change waits', async () => {
    const edge = await atEdge();
    const order = (action: string) =>
      edge.failures.add({ service: 'cloudfront', action, error: 'Throttling', times: 1 });
    order('CreateDistributionTenant');
    expect(await edge.tenants.create(edge.domain)).toBe('busy');
    await edge.tenants.create(edge.domain);
    order('UpdateDistributionTenant');
    expect(await edge.tenants.setEnabled(id, false)).toBe('busy');
    await edge.tenants.setEnabled(id, false);
    edge.advance(30);
    order('DeleteDistributionTenant');
    expect(await edge.tenants.remove(id)).toBe('busy');
    expect(await edge.tenants.remove(id)).toBe('removed');
  });
});

test('names that another tenant has are a conflict', async () => {
  const edge = await atEdge();
  await edge.tenants.create(edge.domain);
  const other = { ...edge.domain, id: '7e8e0c11-2f1a-4c39-9d0e-9a115f600b7e' as typeof id };
  expect(await edge.tenants.create(other)).toBe('conflict');
});

import { expect, test } from '@jest/globals';
import type { CustomerTenant } from '../../edge/customer-tenants.ts';
import {
  aRequest,
  aResource,
  aTemplate,
  anAnswer,
  anEdge,
  text,
  visitorConfig,
} from './edge-fixture.ts';

const FUNCTION = `import cf from 'cloudfront';
function handler(event) {
  const { id, parameters } = cf.distributionTenant;
  let domainId = '-';
  try { domainId = parameters.get('domainId'); } catch (error) {}
  const seen = [domainId, id, event.context.endpoint].join(' ');
  event.request.headers['x-slipway-host'] = { value: seen };
  return event.request;
}`;

function resources() {
  const replaced = [
    aResource('Distribution', 'Visitor', {
      DistributionConfig: {
        ...visitorConfig,
        TenantConfig: {
          ParameterDefinitions: [
            { Name: 'domainId', Definition: { StringSchema: { Required: false } } },
          ],
        },
      },
    }),
    aResource('Function', 'ViewerRequest', {
      Name: 'viewer-request',
      AutoPublish: true,
      FunctionCode: FUNCTION,
      FunctionConfig: { Comment: '', Runtime: 'cloudfront-js-2.0' },
    }),
    aResource('ConnectionGroup', 'Group', { Name: 'group', Enabled: true }),
  ];
  const names = new Set(replaced.map(({ logicalId }) => logicalId));
  return [...aTemplate().filter(({ logicalId }) => !names.has(logicalId)), ...replaced];
}

function anEdgeWith(...tenants: CustomerTenant[]) {
  return anEdge(
    ({ headers }) =>
      anAnswer({ 'cache-control': 'max-age=60', 'cache-tag': 'p-1' }, JSON.stringify(headers)),
    {
      resources: resources(),
      tenants: {
        forDomain: (domain) => tenants.find(({ config }) => config.domains.includes(domain)),
        has: (id) => tenants.some((one) => one.id === id),
      },
    },
  );
}

function aTenant(change: Partial<CustomerTenant['config']> = {}): CustomerTenant {
  return {
    id: 'dt_1',
    config: {
      distributionId: 'Visitor',
      connectionGroupId: 'Group',
      domains: ['*.customer.localhost', 'customer.localhost'],
      parameters: [{ name: 'domainId', value: 'd1' }],
      enabled: true,
      ...change,
    },
  };
}

const visit = (host: string) => aRequest({ headers: { host } });

test.each([
  ['shop.customer.localhost:8787', 200],
  ['customer.localhost:8787', 200],
  ['SHOP.Customer.localhost', 200],
  ['a.shop.customer.localhost:8787', 403],
  ['customer.example', 403],
])('%s answers %s', async (host, status) => {
  const { edge } = anEdgeWith(aTenant());
  expect((await edge.handle(visit(host))).status).toBe(status);
});

test.each([
  ['a disabled tenant', aTenant({ enabled: false })],
  ['a tenant of an unknown connection group', aTenant({ connectionGroupId: 'Gone' })],
  ['a tenant of an unknown distribution', aTenant({ distributionId: 'Gone' })],
])('%s is no site', async (_, tenant) => {
  const { edge } = anEdgeWith(tenant);
  expect((await edge.handle(visit('shop.customer.localhost'))).status).toBe(403);
});

test('the viewer-request function sees the tenant, and no parameter of others', async () => {
  const { edge } = anEdgeWith(aTenant());
  const own = JSON.parse(text(await edge.handle(visit('shop.customer.localhost'))));
  expect(own['x-slipway-host']).toBe('d1 dt_1 group.cloudfront.net');
  const platform = JSON.parse(text(await edge.handle(visit('a.sites.localhost'))));
  expect(platform['x-slipway-host']).toMatch(/^- /);
});

test('each tenant has its own cache, which an invalidation of it empties', async () => {
  const other = { ...aTenant({ domains: ['*.other.localhost'] }), id: 'dt_2' };
  const { edge, originCalls } = anEdgeWith(aTenant(), other);
  const both = async () => {
    await edge.handle(visit('shop.customer.localhost'));
    await edge.handle(visit('shop.other.localhost'));
    return originCalls.length;
  };
  const first = await both();
  expect(await both()).toBe(first);
  edge.invalidate('dt_1', ['#p-1']);
  expect(await both()).toBe(first + 1);
  expect(() => edge.invalidate('dt_3', ['/*'])).toThrow('dt_3');
});

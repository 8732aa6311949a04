import { expect, test } from '@jest/globals';
import { findRemovals } from '../../../bin/stages/run-stage.ts';

const table = {
  Type: 'AWS::DynamoDB::Table',
  Properties: { KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }] },
};
const tenant = {
  Type: 'AWS::CloudFront::DistributionTenant',
  Properties: { Domains: ['*.harbour.site'] },
};
const app = {
  Type: 'AWS::CloudFront::Distribution',
  Properties: { DistributionConfig: { Aliases: ['drop.harbour.dev'], Comment: 'one' } },
};
const queue = { Type: 'AWS::SQS::Queue' };
const record = { Type: 'AWS::Route53::RecordSet', Properties: { Name: 'drop.harbour.dev.' } };
const firewall = { Type: 'AWS::WAFv2::WebACL' };
const deployed = { table, tenant, app, queue, record, firewall };

function removals(next: Record<string, unknown>): string[] {
  return findRemovals(JSON.stringify({ Resources: deployed }), { Resources: next });
}

test.each([
  ['a table that is not there any more', { table: undefined }, 'table: a table would be removed'],
  ['a DNS record', { record: undefined }, 'record: a DNS record would be removed'],
  ['the firewall', { firewall: undefined }, 'firewall: the firewall would be removed'],
  ['a tenant', { tenant: undefined }, 'tenant: the tenant of the sites would be removed'],
  [
    'an alias',
    { app: { ...app, Properties: { DistributionConfig: { Comment: 'one' } } } },
    'app: a distribution would stop answering for drop.harbour.dev',
  ],
  [
    'another domain of sites',
    { tenant: { ...tenant, Properties: { Domains: ['*.other.site'] } } },
    'tenant: the tenant of the sites would stop answering for *.harbour.site',
  ],
  [
    'a table with another key, which would be empty',
    { table: { ...table, Properties: { KeySchema: [] } } },
    'table: a table would be replaced (KeySchema changes)',
  ],
  ['another type under the same id', { table: queue }, 'table: a table would be removed'],
])('a deployment is refused that takes away %s', (_, changes, line) => {
  const next = Object.fromEntries(
    Object.entries({ ...deployed, ...changes }).filter(([, value]) => value !== undefined),
  );
  expect(removals(next)).toEqual([line]);
});

test('everything else may change and go', () => {
  const changed = {
    ...app,
    Properties: { DistributionConfig: { Aliases: ['drop.harbour.dev', 'b.dev'], Comment: 'two' } },
  };
  const { queue: _, ...rest } = deployed;
  expect(removals({ ...rest, app: changed, more: table })).toEqual([]);
});

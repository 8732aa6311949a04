import { describe, expect, test } from '@jest/globals';
import { isAllowed, parsePolicy, tagContext } from '../../local/iam/policy.ts';
import { localResources } from './local-resources.ts';
import { localSettings, synthesize } from './synthesize.ts';

const resources = localResources(await synthesize(localSettings));
const policies = resources.filter(
  ({ type, logicalId }) => type === 'AWS::IAM::Policy' && logicalId.startsWith('Domains'),
);
const statements = policies.flatMap(({ properties, logicalId }) =>
  parsePolicy(properties.PolicyDocument, logicalId),
);

type Tags = Record<string, string>;
interface Call {
  action: string;
  resource?: string;
  /** Tags of the request. */
  sends?: Tags;
  /** Tags of the resource. */
  has?: Tags;
}

const listOf = (tags: Tags = {}) => Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));

/** Whether a function that manages custom domains in the stage `default` may do this. */
function may({ action, resource = '*', sends, has }: Call): boolean {
  return isAllowed(statements, {
    principal: { kind: 'AWS', id: 'role' },
    action,
    resource,
    context: tagContext({ request: listOf(sends), resource: listOf(has) }),
  });
}

const own = { 'slipway:domain': 'd1', 'slipway:stage': 'default' };
const others = { 'slipway:domain': 'd2', 'slipway:stage': 'staging' };

describe.each([
  {
    resource: 'arn:aws:acm:us-east-1:000000000000:certificate/c1',
    make: 'acm:RequestCertificate',
    tag: 'acm:AddTagsToCertificate',
    changes: ['acm:DeleteCertificate'],
    read: 'acm:DescribeCertificate',
  },
  {
    resource: 'arn:aws:cloudfront::000000000000:distribution-tenant/dt_1',
    make: 'cloudfront:CreateDistributionTenant',
    tag: 'cloudfront:TagResource',
    changes: ['cloudfront:UpdateDistributionTenant', 'cloudfront:DeleteDistributionTenant'],
    read: 'cloudfront:GetDistributionTenant',
  },
])('$resource', ({ resource, make, tag, changes, read }) => {
  test('is made with the tags of the stage, and not without or with others', () => {
    // AWS takes the tags of a request that makes something for those of the resource.
    expect(may({ action: make, sends: own, has: own })).toBe(true);
    expect(may({ action: tag, resource, sends: own, has: own })).toBe(true);
    expect(may({ action: make })).toBe(false);
    expect(may({ action: make, sends: others, has: others })).toBe(false);
    expect(may({ action: make, sends: { 'slipway:domain': 'd1' } })).toBe(false);
    const more = { ...own, environment: 'production' };
    expect(may({ action: make, sends: more, has: more })).toBe(false);
    expect(may({ action: tag, resource, sends: more, has: more })).toBe(false);
  });

  test.each([
    ['without tags', {}],
    ['of another program', { environment: 'production' }],
    ['of another stage', others],
    ['of a domain, but of no stage', { 'slipway:domain': 'd1' }],
  ])('that is %s is not tagged, changed or deleted', (_, has) => {
    expect(may({ action: tag, resource, sends: own, has })).toBe(false);
    for (const action of changes) expect(may({ action, resource, has })).toBe(false);
    expect(may({ action: read, resource, has })).toBe(true);
  });

  test('of the stage is changed, and does not get the tag of another', () => {
    for (const action of changes) expect(may({ action, resource, has: own })).toBe(true);
    expect(may({ action: tag, resource, sends: others, has: own })).toBe(false);
  });
});

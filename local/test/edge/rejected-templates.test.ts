import { describe, expect, test } from '@jest/globals';
import {
  aCachePolicy,
  anAnswer,
  anEdge,
  aResource,
  aTemplate,
  visitorConfig,
} from './edge-fixture.ts';

describe('unsupported templates', () => {
  const behaviour = visitorConfig['DefaultCacheBehavior'] as Record<string, unknown>;
  test.each<[string, Record<string, unknown>]>([
    ['DistributionConfig.OriginGroups', { OriginGroups: {} }],
    [
      'DistributionConfig.DefaultCacheBehavior.LambdaFunctionAssociations',
      { DefaultCacheBehavior: { ...behaviour, LambdaFunctionAssociations: [] } },
    ],
    [
      'DistributionConfig.CustomErrorResponses.0.ResponsePagePath',
      { CustomErrorResponses: [{ ErrorCode: 404, ErrorCachingMinTTL: 1, ResponsePagePath: '/x' }] },
    ],
    [
      'is not in the templates: Nothing',
      { DefaultCacheBehavior: { ...behaviour, CachePolicyId: 'Nothing' } },
    ],
    [
      'Compress of *',
      { DefaultCacheBehavior: { ...behaviour, Compress: true, CachePolicyId: 'Packed' } },
    ],
    [
      'names an unknown origin: nowhere',
      { DefaultCacheBehavior: { ...behaviour, TargetOriginId: 'nowhere' } },
    ],
  ])('refuses %p', (message, change) => {
    const resources = aTemplate([
      aCachePolicy('Packed', {}, [], true),
      aResource('Distribution', 'Visitor', { DistributionConfig: { ...visitorConfig, ...change } }),
    ]);
    expect(() => anEdge(() => anAnswer(), { resources })).toThrow(message);
    expect(() => anEdge(() => anAnswer(), { resources })).toThrow('Visitor');
  });

  test.each([
    ['a resource type', aResource('KeyValueStore', 'Store', {}), 'Store'],
    [
      'a header that it cannot make',
      aCachePolicy('Pages', {}, ['CloudFront-Viewer-JA3-Fingerprint']),
      'ja3',
    ],
    [
      'a host of two',
      aResource('DistributionTenant', 'Twin', {
        DistributionId: 'Visitor',
        Domains: ['*.sites.localhost'],
      }),
      'two distributions',
    ],
    [
      'a tenant of a plain distribution',
      aResource('DistributionTenant', 'Sites', { DistributionId: 'App', Domains: ['x.test'] }),
      'DistributionId',
    ],
  ])('refuses %s', (_what, resource, message) => {
    expect(() => anEdge(() => anAnswer(), { resources: aTemplate([resource]) })).toThrow(message);
  });
});

import { describe, expect, test } from '@jest/globals';
import {
  aCachePolicy,
  anAnswer,
  anEdge,
  aRequest,
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
      'UseOriginCacheControlHeaders is not supported',
      {
        DefaultCacheBehavior: {
          ...behaviour,
          CachePolicyId: '83da9c7e-98b4-4e11-a168-04f0df8e2c65',
        },
      },
    ],
    [
      'is not in the templates: Nothing',
      { DefaultCacheBehavior: { ...behaviour, CachePolicyId: 'Nothing' } },
    ],
    [
      'Compress of *',
      {
        DefaultCacheBehavior: {
          ...behaviour,
          Compress: true,
          CachePolicyId: '658327ea-f89d-4fab-a63d-7e88639e58f6',
        },
      },
    ],
    [
      'names an unknown origin: nowhere',
      { DefaultCacheBehavior: { ...behaviour, TargetOriginId: 'nowhere' } },
    ],
  ])('refuses %p', (message, change) => {
    const resources = aTemplate([
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

  test('fills tenant parameters into origin headers', async () => {
    const origins = (visitorConfig['Origins'] as Record<string, unknown>[]).map((origin) => ({
      ...origin,
      OriginCustomHeaders: [{ HeaderName: 'x-domain', HeaderValue: '{{domainId}}' }],
    }));
    const { edge, originCalls } = anEdge(() => anAnswer(), {
      resources: aTemplate([
        aResource('Distribution', 'Visitor', {
          DistributionConfig: { ...visitorConfig, Origins: origins },
        }),
        aResource('DistributionTenant', 'Sites', {
          DistributionId: 'Visitor',
          Domains: ['*.sites.localhost'],
          Parameters: [{ Name: 'domainId', Value: 'd-1' }],
        }),
      ]),
    });
    await edge.handle(aRequest());
    expect(originCalls[0]?.request.headers['x-domain']).toBe('d-1');
    expect(originCalls[0]?.origin).toMatchObject({ kind: 'function-url', signsRequests: true });
  });
});

import { describe, expect, test } from '@jest/globals';
import type { HttpRequest } from '../../../http/http.ts';
import { anAnswer, anEdge, aRequest, aResource, aTemplate } from '../edge-fixture.ts';

describe('invalidation', () => {
  const tagged = (request: HttpRequest) =>
    anAnswer({
      'cache-control': 's-maxage=60',
      'cache-tag': request.path === '/a' ? 'p-1, X' : 'p-10',
    });

  test.each([
    ['#p-1', ['/a']],
    ['#x', ['/a']],
    ['#p-1*', []],
    ['/a', ['/a']],
    ['/*', ['/a', '/b']],
    ['/b*', ['/b']],
    ['/B', []],
  ])('%p removes %p', async (item, forgotten) => {
    const { edge, originCalls } = anEdge(tagged);
    const paths = ['/a', '/b'];
    for (const path of paths) await edge.handle(aRequest({ path }));
    edge.invalidate('Sites', [item]);
    originCalls.length = 0;
    for (const path of paths) await edge.handle(aRequest({ path }));
    expect(originCalls.map(({ request }) => request.path)).toEqual(forgotten);
  });

  test('applies to all tenants of a distribution, or only to the named tenant', async () => {
    const other = aResource('DistributionTenant', 'Customer', {
      DistributionId: 'Visitor',
      Name: 'customer',
      Domains: ['docs.customer.test'],
    });
    const { edge, originCalls } = anEdge(tagged, { resources: [...aTemplate(), other] });
    const visit = () =>
      edge.handle(aRequest({ path: '/a', headers: { host: 'docs.customer.test' } }));
    await visit();
    edge.invalidate('Sites', ['#p-1']);
    await visit();
    expect(originCalls).toHaveLength(1);
    edge.invalidate('Visitor', ['#p-1']);
    await visit();
    expect(originCalls).toHaveLength(2);
  });

  test('does not prevent caching of a response that is in progress', async () => {
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { edge, originCalls } = anEdge(async (request) => {
      await gate;
      return tagged(request);
    });
    const first = edge.handle(aRequest({ path: '/a' }));
    edge.invalidate('Sites', ['#p-1']);
    release();
    await first;
    await edge.handle(aRequest({ path: '/a' }));
    expect(originCalls).toHaveLength(1);
  });

  test('throws for an unknown id', () => {
    expect(() => anEdge(() => anAnswer()).edge.invalidate('Nobody', ['/*'])).toThrow('Nobody');
  });
});

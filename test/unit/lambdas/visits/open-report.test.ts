import { expect, test } from '@jest/globals';
import type { Hit } from '../../../../core/analytics/hit.ts';
import { serveOpenReport } from '../../../../lambdas/visits/open-report.ts';
import { aSite, noVisitors, now } from '../../../fixtures/visits/a-site.ts';
import { firefox } from '../../../fixtures/visits/hits.ts';

const report = new URLSearchParams({ id: 'a-page-load', path: '/a%20b', r: 'https://from.test/x' });
const script = { mode: 'cors', dest: 'empty', site: 'same-origin', purpose: '' };

/** The response to a report, and the hits that it sent. */
async function reported(changes: Record<string, unknown>, site: Record<string, unknown> = {}) {
  const sent = new Array<Hit>();
  const request: any = {
    method: 'GET',
    host: 'a.example',
    domainId: null,
    path: '/_slipway/seen',
    query: report.toString(),
    access: '-',
    fetch: script,
    address: '192.0.2.1',
    userAgent: firefox,
    country: 'NO',
    requestId: 'request-1',
    ...changes,
  };
  const deps = {
    sites: { get: async () => aSite({ domainId: null, ...site }) },
    roots: { get: async () => undefined },
    shareLinks: { find: async () => undefined },
    visitors: noVisitors,
    accessSecret: { current: 'secret', all: ['secret'] } as any,
    hits: { send: async (hit: Hit) => void sent.push(hit) },
  };
  return { response: await serveOpenReport(deps, request, now), sent };
}

test('a report of a page’s script becomes an open with its id, path and referrer', async () => {
  const { response, sent } = await reported({});
  expect(response).toMatchObject({ statusCode: 204, headers: { 'cache-control': 'no-store' } });
  expect(response.body).toBeUndefined();
  expect(sent).toMatchObject([
    { id: 'a-page-load', kind: 'open', path: '/a%20b', referrer: 'from.test', country: 'NO' },
  ]);
});

test.each([
  ['another site', { fetch: { ...script, site: 'cross-site' } }, {}],
  ['a sibling site', { fetch: { ...script, site: 'same-site' } }, {}],
  ['a browser that does not say who asks', { fetch: { ...script, site: '' } }, {}],
  ['an image of the site', { fetch: { ...script, dest: 'image' } }, {}],
  ['a prefetch', { fetch: { ...script, purpose: 'prefetch' } }, {}],
  ['a HEAD', { method: 'HEAD' }, {}],
  ['no query', { query: '' }, {}],
  ['an id of junk', { query: 'id=..%2Fetc&path=%2F' }, {}],
  ['a path that is none', { query: 'id=a-page-load&path=javascript%3A1' }, {}],
  ['a visitor who may not see the page', {}, { access: 'private' }],
  ['a site without analytics', {}, { analyticsEnabled: false }],
])('of %s is answered in the same way and is none', async (_, changes, site) => {
  const { response, sent } = await reported(changes, site);
  expect(response).toEqual((await reported({})).response);
  expect(sent).toEqual([]);
});

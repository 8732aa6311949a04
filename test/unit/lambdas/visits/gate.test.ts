import { expect, test } from '@jest/globals';
import { visitHit } from '../../../../lambdas/visits/gate.ts';
import type { VisitOutcome } from '../../../../lambdas/visits/response-parts.ts';
import { aSite, now } from '../../../fixtures/visits/a-site.ts';
import { firefox } from '../../../fixtures/visits/hits.ts';

const secret = 'test secret';
const request: any = {
  method: 'GET',
  path: '/a%20b',
  requestId: '0b7e4c1a-5f60-4c39-9d0e-2f1a6f0c9a11',
  address: '192.0.2.1',
  userAgent: firefox,
  referrer: 'https://example.org/x',
  country: 'NO',
  fetch: { mode: 'navigate', dest: 'document', site: 'none', purpose: '' },
};
const withoutFetchMetadata = { ...request, fetch: { mode: '', dest: '', site: '', purpose: '' } };
const page: any = { kind: 'file', file: { contentType: 'text/html; charset=utf-8' } };
const html = { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } };
const shown = (changes = {}, more = {}): VisitOutcome =>
  ({
    site: aSite(changes),
    isOwner: false,
    isPreview: false,
    decision: page,
    ...more,
  }) as VisitOutcome;

test('a served page is recorded as a visit with all its fields', () => {
  expect(visitHit(request, shown(), html, { secret, now })).toMatchObject({
    id: request.requestId,
    kind: 'visit',
    path: '/a%20b',
    referrer: 'example.org',
    country: 'NO',
    isOwner: false,
    prefetch: false,
    at: now.toISOString(),
    ownerId: aSite().ownerId,
  });
});

test.each([
  ['a temporary site', request, shown({ ownerId: null, temporary: true }), html],
  [
    'an unchanged page',
    withoutFetchMetadata,
    shown({}, { decision: { ...page, kind: 'not-modified' } }),
    { status: 304, headers: {} },
  ],
  [
    'an unchanged listing',
    withoutFetchMetadata,
    shown({}, { decision: { kind: 'listing', folder: '' } }),
    { status: 304, headers: {} },
  ],
  ['the owner', request, shown({}, { isOwner: true }), html],
])('%s is a visit', (_, visitRequest, outcome, answer) => {
  expect(visitHit(visitRequest, outcome, answer, { secret, now })?.kind).toBe('visit');
});

const style: any = { kind: 'not-modified', file: { contentType: 'text/css' } };
test.each([
  ['a site without analytics', request, shown({ analyticsEnabled: false }), html],
  ['a preview', request, shown({}, { isPreview: true }), html],
  [
    'no site',
    request,
    {
      site: undefined,
      isOwner: false,
      decision: { kind: 'missing', what: 'site' },
    } as VisitOutcome,
    { ...html, status: 404 },
  ],
  [
    'an unchanged style sheet',
    withoutFetchMetadata,
    shown({}, { decision: style }),
    { status: 304, headers: {} },
  ],
  ['a redirect', withoutFetchMetadata, shown(), { status: 301, headers: {} }],
])('%s is not a visit', (_, visitRequest, outcome, answer) => {
  expect(visitHit(visitRequest, outcome, answer, { secret, now })).toBeUndefined();
});

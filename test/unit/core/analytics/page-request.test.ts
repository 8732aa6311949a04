import { expect, test } from '@jest/globals';
import { pageRequestOf } from '../../../../core/analytics/page-request.ts';

const none = { mode: '', dest: '', site: '', purpose: '' };
const navigation = { mode: 'navigate', dest: 'document', site: 'none', purpose: '' };

test.each([
  ['a navigation', {}, {}, 'page'],
  ['a navigation that is answered 304', {}, { status: 304 }, 'page'],
  ['a navigation to a picture', {}, { isHtml: false }, 'page'],
  ['HTML for a client that says nothing of itself', { fetch: none }, {}, 'page'],
  ['HTML unchanged for such a client', { fetch: none }, { status: 304 }, 'page'],
  ['a file for such a client', { fetch: none }, { isHtml: false }, undefined],
  ['HEAD', { method: 'HEAD' }, {}, undefined],
  ['a part of a file', {}, { status: 206 }, undefined],
  [
    'a part that the edge makes of a whole page',
    { fetch: { ...navigation, purpose: 'part' } },
    {},
    undefined,
  ],
  ['a redirect', {}, { status: 301 }, undefined],
  ['a page that is not there', {}, { status: 404 }, undefined],
  ['a locked page', {}, { status: 401 }, undefined],
  ['an expired page', {}, { status: 410 }, undefined],
  ['a resting page', {}, { status: 503 }, undefined],
  ['a style sheet', { fetch: { ...none, mode: 'no-cors', dest: 'style' } }, {}, undefined],
  [
    'HTML that a script fetches',
    { fetch: { ...none, mode: 'cors', dest: 'empty' } },
    {},
    undefined,
  ],
  [
    'a frame on another site',
    { fetch: { ...navigation, dest: 'iframe', site: 'cross-site' } },
    {},
    'page',
  ],
  [
    'an embed on a sibling site',
    { fetch: { ...navigation, dest: 'embed', site: 'same-site' } },
    {},
    'page',
  ],
  [
    'a frame of the page itself',
    { fetch: { ...navigation, dest: 'iframe', site: 'same-origin' } },
    {},
    undefined,
  ],
  ['a prefetch', { fetch: { ...navigation, purpose: 'prefetch' } }, {}, 'prefetch'],
  ['a prerender', { fetch: { ...navigation, purpose: 'prefetch;prerender' } }, {}, 'prefetch'],
  [
    'a link that is prefetched',
    { fetch: { mode: 'no-cors', dest: 'empty', site: 'same-origin', purpose: 'prefetch' } },
    {},
    'prefetch',
  ],
  [
    'a script that is prefetched',
    { fetch: { mode: 'no-cors', dest: 'empty', site: 'same-origin', purpose: 'prefetch' } },
    { isHtml: false },
    undefined,
  ],
  [
    'a prefetch of nothing',
    { fetch: { ...navigation, purpose: 'prefetch' } },
    { status: 404 },
    undefined,
  ],
])('%s', (_, asked, answered, kind) => {
  const request = { method: 'GET', fetch: navigation, ...asked };
  expect(pageRequestOf(request, { status: 200, isHtml: true, ...answered })).toBe(kind);
});

import { describe, expect, test } from '@jest/globals';
import { pageHeadFor, headStamp } from '../../../../core/page-edits/page-head.ts';
import { aSite, someAddresses } from '../../../fixtures/visits/a-site.ts';

const home = { file: 'index.html', urlPath: '/' };
const script = 'https://calm-harbour-x7k2.sites.test/_slipway/assets/open-0A1B2C3D.js';
const quiet = { analyticsEnabled: false };
const spoken = { pageTitle: 'T', metaDescription: 'D' };
const url = 'https://calm-harbour-x7k2.sites.test/';

describe('the tags that are inserted into a page’s head', () => {
  test.each([
    ['the project’s title for a page without one', quiet, { fallbackTitle: 'Harbour' }],
    ['the script where opens are counted', {}, { fallbackTitle: 'Harbour', script }],
    ['a robots tag', { ...quiet, noIndex: true }, { fallbackTitle: 'Harbour', noIndex: true }],
    [
      'what its owner says, and tags for previews',
      { ...quiet, ...spoken },
      {
        title: 'T',
        description: 'D',
        preview: { url, title: 'Harbour', oEmbedUrl: someAddresses.oEmbedUrl(url) },
      },
    ],
    [
      'no address for programs that embed, where not everybody may look',
      { ...quiet, pageTitle: 'T', access: 'password' as const },
      { title: 'T', preview: { url, title: 'Harbour' } },
    ],
    ['nothing while nobody owns it', { ...spoken, noIndex: true, temporary: true }, undefined],
    ['nothing in a bundle', { ...spoken, home: null }, undefined],
  ])('%s', (_, settings, head) => {
    expect(pageHeadFor(aSite(settings), home, someAddresses)).toEqual(head);
  });

  test('a page whose header refuses the script gets none (habit 10)', () => {
    const policies = ["script-src 'nonce-a'"];
    const page = { file: 'about.html', urlPath: '/about.html', policies };
    expect(pageHeadFor(aSite(), page, someAddresses)).toBeUndefined();
  });

  test('another page of the site keeps its title', () => {
    const about = { file: 'about.html', urlPath: '/about.html' };
    expect(pageHeadFor(aSite(spoken), about, someAddresses)).toEqual({ script });
  });
});

test('another page of the site gets no title, and nothing at all where no setting is set', () => {
  const about = { file: 'about.html', urlPath: '/about.html' };
  expect(pageHeadFor(aSite(quiet), about, someAddresses)).toBeUndefined();
});

describe('the stamp of a head', () => {
  test('differs for each setting and is equal for equal settings', () => {
    const heads = [
      {},
      { title: 'a' },
      { title: 'b' },
      { description: 'a' },
      { noIndex: true as const },
    ];
    const stamps = heads.map(headStamp);
    expect(new Set(stamps).size).toBe(heads.length);
    expect(stamps).toEqual(heads.map((head) => headStamp({ ...head })));
    for (const stamp of stamps) expect(stamp).toMatch(/^[0-9a-f]{8}$/);
  });
});

import { describe, expect, test } from '@jest/globals';
import { headOf, headStamp } from '../../../../core/page-edits/page-head.ts';
import { aSite, someAddresses } from '../../../fixtures/visits/a-site.ts';

const home = { file: 'index.html', urlPath: '/' };
const script = 'https://calm-harbour-x7k2.sites.test/_slipway/assets/open-0A1B2C3D.js';
const quiet = { analyticsEnabled: false };
const spoken = { pageTitle: 'T', metaDescription: 'D' };
const url = 'https://calm-harbour-x7k2.sites.test/';

describe('what a page gets into its head', () => {
  test.each([
    ['nothing, where nothing is set', quiet, undefined],
    ['the script where opens are counted', {}, { script }],
    ['a robots tag', { ...quiet, noIndex: true }, { noIndex: true }],
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
    expect(headOf(aSite(settings), home, someAddresses)).toEqual(head);
  });

  test('another page of the site keeps its title', () => {
    const about = { file: 'about.html', urlPath: '/about.html' };
    expect(headOf(aSite(spoken), about, someAddresses)).toEqual({ script });
  });
});

describe('the stamp of a head', () => {
  test('tells every setting apart and is the same for the same', () => {
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

import { describe, expect, test } from '@jest/globals';
import { visitParts } from '../../../../lambdas/visits/visit-parts.ts';
import { renderPage } from '../../../../web/pages/parts/page.ts';
import { html } from '../../../../web/pages/parts/html.ts';
import { aManifest, aSite, someAddresses } from '../../../fixtures/visits/a-site.ts';

const origin = 'https://calm-harbour-x7k2.sites.test';
const plain = renderPage({
  brand: 'Slipway',
  title: 'Harbour',
  body: html`<p>A</p>`,
  framed: true,
});

function page(
  settings: Parameters<typeof aSite>[0] = {},
  { path = '/', isPreview = false, file = 'a.png' } = {},
) {
  const site = aSite({ type: 'image', home: null, ...settings });
  const files = aManifest(file);
  return plain.with(visitParts('Slipway', someAddresses, { site, files, path, isPreview }));
}

describe('a page of ours about a public project', () => {
  test('has tags for previews, with the picture', () => {
    const { html: text } = page();
    expect(text).toContain(`<link rel="canonical" href="${origin}/">`);
    expect(text).toContain('<meta property="og:title" content="Harbour">');
    expect(text).toContain(`<meta property="og:image" content="${origin}/a.png">`);
    expect(text).toContain('<meta name="twitter:card" content="summary_large_image">');
    expect(text).toContain('type="application/json+oembed"');
  });

  test.each([
    ['a large picture', aManifest(['a.png', 5 * 1024 * 1024 + 1]), 'image'],
    ['a drawing', aManifest('a.svg'), 'image'],
    ['several pictures', aManifest('a.png', 'b.png'), 'files'],
  ] as const)('shows no picture of %s', (_, files, type) => {
    const site = aSite({ type, home: null });
    const parts = visitParts('Slipway', someAddresses, {
      site,
      files,
      path: '/',
      isPreview: false,
    });
    expect(parts.sharing?.media).toBeUndefined();
  });

  test.each([
    ['video', 'a.mp4', 'video/mp4'],
    ['audio', 'a.mp3', 'audio/mpeg'],
  ] as const)('names its %s', (type, file, contentType) => {
    const { html: text } = page({ type }, { file });
    expect(text).toContain(`<meta property="og:${type}" content="${origin}/${file}">`);
    expect(text).toContain(`<meta property="og:${type}:type" content="${contentType}">`);
  });

  test('may be framed by anybody, and loads only the script that reports opens', () => {
    const { csp, html: text } = page();
    const { openScriptPath } = someAddresses;
    expect(csp).toMatch(/frame-ancestors \*$/);
    expect(csp).toContain(`script-src ${origin}${openScriptPath}; connect-src 'self'`);
    expect(text).toContain(`<script src="${openScriptPath}" async></script>`);
  });

  test('has the owner’s title, on the first page', () => {
    const settings = { pageTitle: 'My <title>', metaDescription: 'Mine' };
    const { html: text } = page(settings);
    expect(text).toContain('<title>My &lt;title&gt;</title>');
    expect(text).toContain('<meta name="description" content="Mine">');
    expect(text).toContain('<meta property="og:description" content="Mine">');
    expect(page(settings, { path: '/folder/' }).html).toContain('<title>Harbour · Slipway</title>');
  });
});

describe('a protected page', () => {
  test.each([
    ['with a password', { access: 'password' as const }, {}],
    ['of its owner alone', { access: 'private' as const }, {}],
    ['of another version', {}, { isPreview: true }],
  ])('has no preview tags and is framed only by its own site: %s', (_, settings, at) => {
    const { html: text, csp } = page({ analyticsEnabled: false, ...settings }, at);
    expect({ html: text, csp }).toEqual({ html: plain.html, csp: plain.csp });
  });

  test.each([
    ['without analytics', { analyticsEnabled: false }],
    ['that nobody owns', { temporary: true }],
  ])('is not counted %s', (_, settings) => {
    expect(page(settings).html).not.toContain('<script');
  });
});

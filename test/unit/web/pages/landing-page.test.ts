import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { describeDuration, temporaryLifetimeSeconds } from '../../../../contract/limits.ts';
import { landingPage } from '../../../../web/pages/landing-page.ts';
import { landing } from './every-page.ts';

const page = landingPage(landing);

describe('landingPage', () => {
  test('publishes by a plain form, without any script', () => {
    expect(page.html).toMatch(
      /<form [^>]*action="\/v1\/projects\/temp" method="post" enctype="multipart\/form-data"/,
    );
    expect(page.html).toMatch(/<input [^>]*type="file" name="files" multiple required/);
    expect(page.html).toContain('<noscript>');
    expect(page.csp).toContain("form-action 'self'");
  });

  test('shows the limits of the settings', () => {
    expect(page.html).toContain('<dd>5, or one ZIP with up to 500 inside</dd>');
    expect(page.html).toContain('<dd>2 MB</dd>');
    expect(page.html).toContain(
      `<dd>${describeDuration(temporaryLifetimeSeconds)}, then the files are deleted unless you keep the project</dd>`,
    );
    expect(page.html).toContain('<dd>3 in a minute, 5 in an hour</dd>');
    expect(page.html).toMatch(/data-max-parts="5" data-max-entries="500" data-max-bytes="2097152"/);
  });

  test('shows a first command for this installation', () => {
    expect(page.html).toContain('files=@index.html https://app.example/v1/projects/temp');
    const local = { baseUrl: 'http://localhost:8787', sitesDomain: 'sites.localhost:8787' };
    expect(landingPage({ ...landing, ...local }).html).toContain(
      'http://calm-harbour-k7m2.sites.localhost:8787',
    );
  });

  test('is one document of less than 30 kB, compressed, with one script', () => {
    expect(page.html.match(/<(?:script|img|iframe)[^>]* src=|<link rel="(?!icon")/g)).toEqual([
      '<script type="module" src=',
    ]);
    const { length } = gzipSync(page.html);
    expect(length).toBeGreaterThan(5_000);
    expect(length).toBeLessThan(30_000);
  });

  test('links only to what exists', () => {
    const links = [...page.html.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href]) => href);
    const paths = ['/docs', '/docs/api', '/connect', '/docs/getting-started', '/dashboard'];
    expect(new Set(links)).toEqual(new Set(['#launch', '/', ...paths]));
  });

  test('gives every control a name and every label a control', () => {
    for (const [, target] of page.html.matchAll(/<label [^>]*for="([^"]+)"/g)) {
      expect(page.html).toContain(`id="${target}" type="file"`);
    }
    for (const [input] of page.html.matchAll(/<input [^>]*>/g))
      expect(input).toContain('aria-label=');
    expect(page.html).toContain('role="alert"');
    expect(page.html).toContain('role="timer"');
  });
});

import { describe, expect, test } from '@jest/globals';
import { readSiteRules } from '../../../../core/site-rules/collect-site-rules.ts';
import { decideVisit } from '../../../../core/visit/decide-visit.ts';
import { aManifest, aSite, aVisit } from '../../../fixtures/visits/a-site.ts';

const files = aManifest('index.html', 'about.html', 'data.json', 'font.woff2', 'a.svg', 'm.glb');

const withRules = (headers: string, changes = {}) =>
  aSite({ rules: readSiteRules(new Map([['_headers', headers]])).rules, ...changes });

const sent = (site: ReturnType<typeof aSite>, path: string) => {
  const decision = decideVisit(site, files, aVisit({ path }));
  if (decision.kind !== 'file') return decision.kind;
  const { isOpen, fields } = decision.file;
  return isOpen === true ? '*' : fields?.get('access-control-allow-origin');
};

describe('pages of other origins', () => {
  test.each(['/data.json', '/font.woff2', '/a.svg', '/m.glb'])('may read %s', (path) => {
    expect(sent(aSite(), path)).toBe('*');
  });

  test.each(['/', '/about', '/about.html', '/index.html'])('may not read the page %s', (path) => {
    expect(sent(aSite(), path)).toBeUndefined();
  });

  test.each([
    ['what needs a password', aSite({ access: 'password', passwordStamp: 'stamp' })],
    ['what is private', aSite({ access: 'private' })],
    ['what a rule removes', withRules('/data*\n  ! Access-Control-Allow-Origin')],
    ['what a rule makes a page', withRules('/data.json\n  Content-Type: text/html')],
    ['a file without downloads', aSite({ home: null, type: 'code', disableDownloads: true })],
  ])('may not read %s', (_, site) => {
    expect(sent(site, '/data.json')).toBeUndefined();
  });

  test('may read what the rules of a site say, and nobody adds to it', () => {
    const site = withRules('/data.json\n  Access-Control-Allow-Origin: https://a.example');
    expect(sent(site, '/data.json')).toBe('https://a.example');
  });
});

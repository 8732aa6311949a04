import { describe, expect, test } from '@jest/globals';
import { bundlePlace, shownType } from '../../../../core/visit/bundle-file.ts';
import { routeVisit } from '../../../../core/visit/route-visit.ts';
import { aManifest, aSite, aVisit } from '../../../fixtures/visits/a-site.ts';

const bundle = aSite({ type: 'files', home: null });
const files = aManifest('a 2.csv', 'a 10.csv', 'page.html', 'docs/readme.md', 'docs/plan#1.pdf');

function routeTo(path: string, manifest = files, site = bundle) {
  const route = routeVisit(site, manifest, aVisit({ path }));
  return 'path' in route ? `${route.kind} ${route.path}` : route.kind;
}

test('a wiki link looks at a hundred files of one name', () => {
  const paths = Array.from({ length: 150 }, (_, at) => `d${String(at).padStart(3, '0')}/n.md`);
  const place = bundlePlace(bundle, aManifest('a.csv', ...paths), 'a.csv');
  expect(place?.find('d099/N')).toEqual({ href: '/d099/n.md', isPicture: false });
  expect(place?.find('d100/n')).toBeUndefined();
});

describe('the page of a file of a bundle', () => {
  test.each([
    ['/a%202.csv/', 'single-file-page a 2.csv'],
    ['/docs/plan%231.pdf/', 'single-file-page docs/plan#1.pdf'],
    ['/docs/', 'listing'],
    ['/docs/readme.md', 'file'],
    ['/page.html/', 'missing'],
    ['/none.csv/', 'missing'],
    ['/', 'listing'],
  ])('%s leads to %s', (path, expected) => expect(routeTo(path)).toBe(expected));

  test('a site with a home page, and a project with one file, have none', () => {
    const site = aSite({ home: 'page.html' });
    expect(routeTo('/a%202.csv/', files, site)).toBe('missing');
    const single = aSite({ type: 'pdf', home: null });
    expect(routeTo('/plan.pdf/', aManifest('plan.pdf'), single)).toBe('missing');
  });

  test('has links to the files beside it, in the order of the list', () => {
    expect(bundlePlace(bundle, files, 'a 10.csv')).toEqual({
      folderHref: '/',
      find: expect.any(Function),
      previous: { name: 'a 2.csv', href: '/a%202.csv/' },
    });
    expect(bundlePlace(bundle, files, 'docs/plan#1.pdf')).toEqual({
      folderHref: '/docs/',
      find: expect.any(Function),
      next: { name: 'readme.md', href: '/docs/readme.md/' },
    });
    expect(bundlePlace(aSite({ type: 'pdf', home: null }), files, 'plan.pdf')).toBeUndefined();
    expect(bundlePlace(bundle, aManifest('a.rar'), 'a.rar')).toBeUndefined();
    expect(bundlePlace(bundle, aManifest('b/a.rar'), 'b/a.rar')?.folderHref).toBe('/b/');
  });

  test('a film has the subtitles that are named like it', () => {
    const films = aManifest(
      'films/Launch.mp4',
      'films/launch.vtt',
      'films/launch.pt-BR.srt',
      'films/launched.vtt',
      'films/launch.txt',
      'launch.vtt',
    );
    expect(bundlePlace(bundle, films, 'films/Launch.mp4')?.subtitles).toEqual([
      { href: '/films/launch.pt-BR.srt', language: 'pt-BR' },
      { href: '/films/launch.vtt' },
    ]);
    expect(bundlePlace(bundle, films, 'films/launch.txt')?.subtitles).toBeUndefined();
  });

  test('shows it by its name, or as code where its content is text', () => {
    expect(shownType(bundle, 'a.csv', {})).toBe('document');
    expect(shownType(bundle, 'a.unknown', { isText: true })).toBe('code');
    expect(shownType(bundle, 'a.ts', { isVideo: true })).toBe('video');
    expect(shownType(bundle, 'a.ts', {})).toBe('code');
    expect(shownType(bundle, 'a.doc', { format: 'pdf' })).toBe('pdf');
    expect(shownType(aSite({ type: 'document', home: null }), 'a.doc', { format: 'pdf' })).toBe(
      'pdf',
    );
    expect(shownType(bundle, 'a.gpx', { hasOwnEncoding: true })).toBe('code');
    expect(shownType(bundle, 'a.csv', { hasOwnEncoding: true })).toBe('document');
    expect(shownType(aSite({ type: 'pdf', home: null }), 'a.csv', {})).toBe('pdf');
  });
});

test.each([
  ['plan.pdf', 'single-file-page plan.pdf'],
  ['sub/readme.md', 'single-file-page sub/readme.md'],
  ['archive.rar', 'single-file-page archive.rar'],
  ['sub/mystery.bin', 'single-file-page sub/mystery.bin'],
  ['page.html', 'listing'],
])('a bundle of only %s answers with %s', (path, expected) => {
  expect(routeTo('/', aManifest(path))).toBe(expected);
});

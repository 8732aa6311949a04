import { describe, expect, test } from '@jest/globals';
import { decideVisit, maxInlineBytes } from '../../../../core/visit/decide-visit.ts';
import { etagOf } from '../../../../core/visit/protocol/conditional-request.ts';
import { refuseVisit } from '../../../../core/visit/refuse-visit.ts';
import type { ServingRecord } from '../../../../core/visit/serving-record.ts';
import { aManifest, aSite, aVisit, now, someAddresses } from '../../../fixtures/visits/a-site.ts';

const site = aSite();
const files = aManifest('index.html', 'docs/index.html', 'docs/a b.txt', 'assets/app.js', [
  'big.mp4',
  maxInlineBytes + 1,
]);
const bundle = aSite({ type: 'files', home: null });

const visit = (path: string, conditions = {}) => aVisit({ path, conditions });

const earlier = '2026-03-01T11:00:00.000Z';
const later = '2026-04-01T00:00:00.000Z';
const locked = aSite({ access: 'password', passwordStamp: 'stamp' });

describe('a visitor is refused', () => {
  test.each([
    ['an unknown host', undefined, { kind: 'missing', what: 'site' }],
    [
      'an archived project',
      aSite({ archivedAt: now.toISOString() }),
      { kind: 'missing', what: 'site' },
    ],
    ['an unpublished project', aSite({ status: 'private' }), { kind: 'missing', what: 'site' }],
    [
      'a project at its exact end',
      aSite({ expiresAt: '2026-03-01T12:00:00.000Z' }),
      { kind: 'gone' },
    ],
    ['a project past its end', aSite({ expiresAt: '2026-03-01T11:59:59.999Z' }), { kind: 'gone' }],
    ['a project with a password', locked, { kind: 'locked', ask: 'password' }],
    [
      'a project whose password was cleared',
      aSite({ access: 'password' }),
      { kind: 'locked', ask: 'owner' },
    ],
    ['a private project', aSite({ access: 'private' }), { kind: 'locked', ask: 'owner' }],
    ['a project for people', aSite({ access: 'people' }), { kind: 'locked', ask: 'address' }],
    ['one that asks who', aSite({ access: 'identify' }), { kind: 'locked', ask: 'address' }],
    ['a project that rests', aSite({ restingUntil: later }), { kind: 'resting' }],
    [
      'an expired project that rests',
      aSite({ restingUntil: later, expiresAt: earlier }),
      { kind: 'gone' },
    ],
    ['a taken down project', aSite({ takenDown: true, access: 'private' }), { kind: 'withheld' }],
    [
      'an expired project with a password, which never tells that it had one',
      aSite({ access: 'password', expiresAt: '2026-03-01T11:00:00.000Z' }),
      { kind: 'gone' },
    ],
    [
      'an archived project past its end',
      aSite({ archivedAt: now.toISOString(), expiresAt: '2026-03-01T11:00:00.000Z' }),
      { kind: 'missing', what: 'site' },
    ],
  ])('%s', (_, record, decision) => {
    expect(refuseVisit(record, 'stranger', now)).toEqual(decision);
  });

  test('is served a millisecond before its expiry', () => {
    const record = aSite({ expiresAt: '2026-03-01T12:00:00.001Z' });
    expect(refuseVisit(record, 'stranger', now)).toBeUndefined();
  });

  test.each([
    ['public', 'stranger', true],
    ['public', 'guest', true],
    ['public', 'owner', true],
    ['password', 'stranger', false],
    ['password', 'guest', true],
    ['password', 'owner', true],
    ['private', 'stranger', false],
    ['private', 'guest', false],
    ['private', 'owner', true],
    ['private', 'person', false],
    ['password', 'person', false],
    ['people', 'stranger', false],
    ['people', 'guest', false],
    ['people', 'person', true],
    ['people', 'link', true],
    ['people', 'owner', true],
    ['identify', 'stranger', false],
    ['identify', 'guest', false],
    ['identify', 'person', true],
    ['identify', 'owner', true],
  ] as const)('where access is %s, %s comes in: %s', (access, role, isIn) => {
    const refusal = refuseVisit(aSite({ access, passwordStamp: 'stamp' }), role, now);
    expect(refusal === undefined).toBe(isIn);
  });

  test.each([
    ['unpublished', aSite({ status: 'private' })],
    ['archived', aSite({ archivedAt: earlier })],
    ['expired', aSite({ expiresAt: earlier })],
    ['taken down', aSite({ takenDown: true })],
  ])('what is %s is refused to its owner too', (_, record) => {
    expect(refuseVisit(record, 'owner', now)).toBeDefined();
  });

  test('rests exactly until the given instant', () => {
    const record = aSite({ restingUntil: now.toISOString() });
    expect(refuseVisit(record, 'stranger', now)).toBeUndefined();
  });
});

describe('a path of a site', () => {
  test.each([
    ['/', 'index.html'],
    ['/index.html', 'index.html'],
    ['/docs/', 'docs/index.html'],
    ['/docs/a%20b.txt', 'docs/a b.txt'],
    ['/%61ssets/app.js', 'assets/app.js'],
  ])('%s is the file %s', (path, file) => {
    expect(decideVisit(site, files, visit(path))).toMatchObject({
      kind: 'file',
      file: { path: file },
    });
  });

  test('a folder without its slash redirects to it with the slash', () => {
    expect(decideVisit(site, files, visit('/docs'))).toMatchObject({
      kind: 'redirect',
      location: '/docs/',
    });
  });

  test('redirects to a home page in a folder, so that its links work', () => {
    const nested = aSite({ home: 'web/start.html' });
    const manifest = aManifest('web/start.html');
    const decision = decideVisit(nested, manifest, visit('/'));
    expect(decision).toMatchObject({ kind: 'redirect', location: '/web/start.html' });
  });

  test.each([
    '/nothing',
    '/docs/nothing',
    '/assets/',
    '/assets',
    '/index.html/',
    '//evil.example/docs',
    '/../index.html',
    '/docs/../index.html',
    '/docs/%2e%2e/index.html',
    '/docs%2findex.html',
    '/docs%5cindex.html',
    '/docs\\index.html',
    '/%00',
    '/index.html%00',
    '/%',
    '/%ff',
    '/%c0%ae%c0%ae/',
    '/./index.html',
    'index.html',
    '',
    'http://evil.example/',
  ])('%s is missing, without a redirect', (path) => {
    expect(decideVisit(site, files, visit(path))).toEqual({ kind: 'missing', what: 'file' });
  });

  test('finds a name in every Unicode normalization form', () => {
    const decision = decideVisit(site, aManifest('caf\u00e9.html'), visit('/cafe%CC%81.html'));
    expect(decision).toMatchObject({ kind: 'file' });
  });
});

describe('a bundle', () => {
  test.each([
    ['/', ''],
    ['/docs/', 'docs/'],
  ])('%s lists the folder', (path, folder) => {
    expect(decideVisit(bundle, files, visit(path))).toEqual({ kind: 'listing', folder });
  });

  test('redirects to a folder with its slash, encoded', () => {
    const decision = decideVisit(bundle, aManifest('my docs/a.txt'), visit('/my%20docs'));
    expect(decision).toMatchObject({ kind: 'redirect', location: '/my%20docs/' });
  });

  test('an index.html in a bundle is a file like any other', () => {
    const decision = decideVisit(bundle, files, visit('/index.html'));
    expect(decision).toMatchObject({ kind: 'file', file: { path: 'index.html' } });
  });
});

describe('a single file', () => {
  const single = (changes: Partial<ServingRecord> = {}) =>
    aSite({ type: 'pdf', home: null, ...changes });
  const opened = { fetch: { mode: 'navigate', dest: 'document', site: 'none', purpose: '' } };

  test.each([
    ['pdf', 'paper.pdf'],
    ['image', 'photo.jpg'],
    ['code', 'app.ts'],
    ['document', 'letter.docx'],
    ['presentation', 'talk.pptx'],
    ['model3d', 'part.stl'],
  ] as const)('of type %s is shown on a page of ours', (type, path) => {
    const decision = decideVisit(single({ type }), aManifest(path), visit('/'));
    expect(decision).toMatchObject({ kind: 'single-file-page', path });
  });

  test('is served at its own path with its own type', () => {
    const decision = decideVisit(single(), aManifest('paper.pdf'), visit('/paper.pdf'));
    expect(decision).toMatchObject({
      kind: 'file',
      file: { path: 'paper.pdf', contentType: 'application/pdf' },
    });
  });

  test.each([
    ['opened where downloads are disabled', { disableDownloads: true }, opened, 'to-viewer'],
    ['opened where they are not', {}, opened, 'file'],
    ['fetched by its page', { disableDownloads: true }, {}, 'file'],
    ['opened in a bundle', { disableDownloads: true, type: 'files' as const }, opened, 'file'],
    ['opened on a site', { disableDownloads: true, home: 'index.html' }, opened, 'file'],
  ])('%s', (_, changes, visitChanges, kind) => {
    const visited = { ...visit('/paper.pdf'), ...visitChanges };
    const decision = decideVisit(single(changes), aManifest('paper.pdf', 'index.html'), visited);
    expect(decision.kind).toBe(kind);
  });
});

describe('large files', () => {
  test('a file of exactly the limit is served directly', () => {
    const exact = aManifest(['a.bin', maxInlineBytes]);
    expect(decideVisit(site, exact, visit('/a.bin'))).toMatchObject({ kind: 'file' });
  });

  const megabyte = 1024 * 1024;
  test.each([undefined, 'bytes=0-99', 'bytes=-500', 'bytes=0-', `bytes=${60 * megabyte}-`])(
    'one of 50 MB has an address of its own, where storage evaluates %s and all conditions',
    (range) => {
      const asked = visit('/big.mp4', { range, ifNoneMatch: '*', ifMatch: '"x"' });
      const files = aManifest(['big.mp4', 50 * megabyte]);
      expect(decideVisit(site, files, asked)).toMatchObject({ kind: 'large-file' });
    },
  );
});

describe('ranges', () => {
  test('a satisfiable range is served', () => {
    const decision = decideVisit(site, files, visit('/index.html', { range: 'bytes=0-9' }));
    expect(decision).toMatchObject({ kind: 'file', range: { first: 0, last: 9 } });
  });

  test('an unsatisfiable range gets the length of the file', () => {
    const decision = decideVisit(site, files, visit('/index.html', { range: 'bytes=100-' }));
    expect(decision).toEqual({ kind: 'unsatisfiable', size: 100 });
  });

  test('a stale If-Range gets the whole file', () => {
    const conditions = { range: 'bytes=0-9', ifRange: '"other"' };
    const decision = decideVisit(site, files, visit('/index.html', conditions));
    expect(decision).toEqual(expect.not.objectContaining({ range: expect.anything() }));
  });

  test('a failed precondition comes before the range', () => {
    const conditions = { range: 'bytes=0-9', ifMatch: '"other"' };
    const decision = decideVisit(site, files, visit('/index.html', conditions));
    expect(decision).toEqual({ kind: 'precondition-failed' });
  });
});

describe('a page whose head is edited', () => {
  // Every HTML page of it gets `noindex`, the home page a title as well.
  const titled = { ...site, pageTitle: 'New title of index.html', noIndex: true };
  const edited = (path: string, conditions = {}) =>
    decideVisit(titled, files, visit(path, conditions), someAddresses);
  const etagAt = (path: string) => {
    const decision = edited(path);
    return decision.kind === 'file' ? etagOf(decision.file) : '';
  };

  test('has another ETag', () => {
    expect(etagAt('/')).toMatch(/^"hash-of-index.ht-[0-9a-f]{8}"$/);
    expect(edited('/', { ifNoneMatch: etagAt('/') })).toMatchObject({ kind: 'not-modified' });
    expect(edited('/', { ifNoneMatch: '"hash-of-index.ht"' })).toMatchObject({ kind: 'file' });
  });

  test('is loaded by scripts as it was published', () => {
    const loaded = { ...visit('/'), isPageView: false };
    const decision = decideVisit(titled, files, loaded, someAddresses);
    expect(decision).toMatchObject({ kind: 'file', file: { variesByView: true } });
    expect(decision).not.toHaveProperty('file.head');
    expect(decision.kind === 'file' && etagOf(decision.file)).toBe('"hash-of-index.ht"');
  });

  test.each([
    ['whatever the stored page holds of it', { range: 'bytes=0-1' }, 'bytes=0-1'],
    ['beyond the stored page', { range: 'bytes=5000-' }, 'bytes=5000-'],
    ['never of what was another page', { range: 'bytes=0-1', ifRange: '"other"' }, undefined],
  ])('serves ranges of the edited bytes: %s', (_, conditions, rangeField) => {
    const decision = edited('/', conditions);
    expect(decision).toMatchObject({
      kind: 'file',
      file: { head: { title: 'New title of index.html' } },
    });
    expect(decision).not.toHaveProperty('range');
    expect(decision.kind === 'file' && decision.rangeField).toBe(rangeField);
  });

  test('is no file of another type, and no page that storage sends', () => {
    expect(edited('/assets/app.js')).not.toHaveProperty('file.head');
    const large = aManifest(['index.html', maxInlineBytes + 1], ['empty.html', 0]);
    for (const path of ['/', '/empty.html']) {
      const decision = decideVisit(titled, large, visit(path), someAddresses);
      expect(decision).not.toHaveProperty('file.head');
    }
  });
});

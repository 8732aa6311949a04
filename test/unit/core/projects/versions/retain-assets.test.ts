import { describe, expect, test } from '@jest/globals';
import { StoreId, uploadLocation } from '../../../../../core/content/content-keys.ts';
import { instant, plusSeconds } from '../../../../../core/instants.ts';
import {
  type LiveSwitch,
  planRetained,
  retainedSeconds,
} from '../../../../../core/projects/versions/retain-assets.ts';
import type { FileEntry, Manifest } from '../../../../../core/visit/manifest.ts';
import { hashedAssets } from '../../../../../core/visit/retained-assets.ts';
import { aManifest, now } from '../../../../fixtures/visits/a-site.ts';

const store = StoreId.parse('a1');
const day = 24 * 3600;
const none: Manifest = new Map();
const leaving = (...files: Parameters<typeof aManifest>) => ({
  store,
  home: 'index.html',
  files: aManifest('index.html', ...files),
});
const next = (...files: Parameters<typeof aManifest>): LiveSwitch['next'] => ({
  store: StoreId.parse('b2'),
  home: 'index.html',
  bytes: 1000,
  files: aManifest('index.html', ...files),
});
const until = (seconds: number) => instant(plusSeconds(now, seconds));
const earlier = (path: string, seconds: number, more: Partial<FileEntry> = {}): Manifest =>
  new Map([[path, { size: 1, hash: 'h', storedAt: 'c3', until: until(seconds), ...more }]]);

const app = 'assets/app-B1c2D3e4.js';
const style = 'assets/style-4f2a9c1b.css';

describe('which assets stay reachable', () => {
  test('those of the version that leaves, for seven days, where their upload stored them', () => {
    const planned = planRetained({ leaving: leaving(app, 'photo.png'), next: next() }, none, now);
    expect([...planned]).toEqual([
      [app, expect.objectContaining({ storedAt: 'a1', until: until(retainedSeconds) })],
    ]);
    expect(retainedSeconds).toBe(7 * day);
  });

  test('not those that the next version has', () => {
    const change = { leaving: leaving(app, style), next: next(app) };
    expect([...planRetained(change, none, now).keys()]).toEqual([style]);
  });

  test('not those that were deleted by name, also of an earlier version', () => {
    const change = { leaving: leaving(app), next: next(), deleted: [app, style] };
    expect(planRetained(change, earlier(style, day), now).size).toBe(0);
  });

  test.each([
    ['before', day, [app, style]],
    ['at', 0, [app]],
    ['after', -1, [app]],
  ])('those of earlier versions %s their end', (_, left, paths) => {
    const planned = planRetained(
      { leaving: leaving(app), next: next() },
      earlier(style, left),
      now,
    );
    expect([...planned.keys()]).toEqual(paths);
    if (left > 0) expect(planned.get(style)?.until).toBe(until(left));
  });

  test('a version that returned and leaves again begins anew', () => {
    const planned = planRetained({ leaving: leaving(app), next: next() }, earlier(app, 60), now);
    expect(planned.get(app)?.until).toBe(until(retainedSeconds));
  });

  test('the newest, as far as there is room', () => {
    const mib = 1024 * 1024;
    const change = { leaving: leaving([app, 40 * mib], [style, 20 * mib]), next: next() };
    expect([...planRetained(change, earlier('old-1a2b3c4d.js', day), now).keys()]).toEqual([
      app,
      'old-1a2b3c4d.js',
    ]);
    const large = { ...change, next: { ...next(), bytes: 60 * mib } };
    expect([...planRetained(large, none, now).keys()]).toEqual([app, style]);
  });

  test('an asset in a pack needs room for the pack, once, and none if the next version shows it', () => {
    const mib = 1024 * 1024;
    const pack = (name: string, bytes: number) => `a1/p${name.repeat(24)}-${bytes}`;
    const inPack = (storedAt: string, offset: number) => ({ size: 1, hash: 'h', storedAt, offset });
    const [one, two] = [pack('1', 40 * mib), pack('2', 11 * mib)];
    const files: Manifest = new Map([
      [app, inPack(one, 0)],
      ['assets/lazy-C2d3E4f5.js', inPack(one, 1)],
      [style, inPack(two, 0)],
    ]);
    const from = { store: StoreId.parse('a1'), home: 'index.html', files };
    const paths = (to: LiveSwitch['next']) => [
      ...planRetained({ leaving: from, next: to }, none, now).keys(),
    ];
    expect(paths(next())).toEqual([app, 'assets/lazy-C2d3E4f5.js']);
    const shows = (storedAt: string) => ({
      ...next(),
      files: new Map([['index.html', inPack(storedAt, 9)]]),
    });
    expect(paths(shows(two))).toEqual([...files.keys()]);
    expect(paths(shows(one))).toEqual([...files.keys()]);
    expect(paths({ ...next(), bytes: 51 * mib })).toEqual([...files.keys()]);
  });

  test.each<[string, LiveSwitch]>([
    [
      'after a version without a home page',
      { leaving: { ...leaving(app), home: null }, next: next() },
    ],
    ['before one', { leaving: leaving(app), next: { ...next(), home: null } }],
    ['of a version whose list of files was lost', { leaving: undefined, next: next() }],
  ])('none %s', (_, change) => {
    expect(planRetained(change, none, now).size).toBe(0);
  });

  test('a moved file is found where it is stored', () => {
    const storedAt = uploadLocation('c3', 'elsewhere/app-B1c2D3e4.js');
    const files: Manifest = new Map([[app, { size: 1, hash: 'h', storedAt }]]);
    const change = { leaving: { ...leaving(), files }, next: next() };
    expect(planRetained(change, none, now).get(app)?.storedAt).toBe(storedAt);
  });
});

test('names with a hash, and what looks like one beside them', () => {
  const files = [
    'assets/index-BX3f9a1C.js',
    'assets/lazy-abcdefgh.js',
    'assets/report-salaries.pdf',
    'other/main-overview.js',
    'page.4f2a9c1b.html',
    'logo.svg',
  ];
  expect(hashedAssets(aManifest(...files))).toEqual([
    'assets/index-BX3f9a1C.js',
    'assets/lazy-abcdefgh.js',
  ]);
});

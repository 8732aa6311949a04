import { beforeEach, expect, test } from '@jest/globals';
import type { Version } from '../../../../../core/projects/project.ts';
import { visitVersionFeed, writeFeed } from '../../../../../core/projects/versions/version-feed.ts';
import type { ServingRecord } from '../../../../../core/visit/serving-record.ts';
import { fixedSecret } from '../../../../fixtures/fixed-secret.ts';
import { aVersion } from '../../../../fixtures/projects/a-project.ts';
import { aSite, noLinks, noRoots, noVisitors, now } from '../../../../fixtures/visits/a-site.ts';

let site: ServingRecord;
let versions: Version[];
let reads: string[];

beforeEach(() => {
  site = aSite({ version: 2, publishedAt: '2026-03-01T11:30:00.000Z' });
  versions = [
    aVersion({ version: 3, note: 'Secret plans', draft: true }),
    aVersion({ version: 2, note: 'New <prices> & "terms"', createdAt: '2026-03-01T11:30:00.000Z' }),
    aVersion({ version: 1, createdAt: '2026-03-01T11:00:00.000Z' }),
  ];
  reads = [];
});

const deps = () => ({
  sites: { get: async (host: string) => (host === site.host ? site : undefined) },
  roots: noRoots,
  accessSecret: fixedSecret('key'),
  shareLinks: noLinks,
  visitors: noVisitors,
  projects: {
    async listVersions(_: string, limit = 0) {
      reads.push(`list ${limit}`);
      return versions.slice(0, limit);
    },
    async getVersion(_: string, number: number) {
      reads.push(`get ${number}`);
      return versions.find(({ version }) => version === number);
    },
  },
  addresses: { siteUrl: (host: string) => `https://${host}` },
  now: () => now,
});
const visit = (conditions = {}, host = site.host) =>
  visitVersionFeed(deps(), { host, domainId: null, access: '-', conditions });
const entries = (feed = '') =>
  [...feed.matchAll(/<title>[^<]*: version (\d+)<\/title>/g)].map(([, number]) => Number(number));

async function read(conditions = {}) {
  const visited = await visit(conditions);
  if ('refusal' in visited) throw new Error(visited.refusal.kind);
  return visited;
}

test('a feed has the live version and earlier ones with their notes, and no draft', async () => {
  const { feed, isPublic } = await read();
  expect(entries(feed)).toEqual([2, 1]);
  expect(feed).toContain('<summary>New &#60;prices&#62; &#38; &#34;terms&#34;</summary>');
  expect(feed).not.toContain('Secret plans');
  expect(isPublic).toBe(true);
});

test('a draft is in the feed while it is live, with the time at which it became live', async () => {
  site = aSite({ version: 3, publishedAt: '2026-03-01T11:45:00.000Z' });
  const { feed } = await read();
  expect(entries(feed)).toEqual([3, 2, 1]);
  expect(feed).toContain('<updated>2026-03-01T11:45:00.000Z</updated>');
  expect(feed).toContain('Secret plans');
});

test('an old version that is live again is in the feed too', async () => {
  versions = Array.from({ length: 30 }, (_, index) => aVersion({ version: 30 - index }));
  site = aSite({ version: 1 });
  const { feed } = await read();
  expect(entries(feed)).toHaveLength(21);
  expect(entries(feed)[0]).toBe(1);
  expect(reads).toEqual(['list 20', 'get 1']);
});

test('an unchanged feed is not sent again, and no version is read for it', async () => {
  const { validators } = await read();
  reads = [];
  const again = await read({ ifNoneMatch: validators.etag });
  expect(again.feed).toBeUndefined();
  const since = validators.lastModified.toUTCString();
  expect((await read({ ifModifiedSince: since })).feed).toBeUndefined();
  expect(reads).toEqual([]);
  site = { ...site, version: 3, publishedAt: '2026-03-01T11:59:00.000Z' };
  expect((await read({ ifNoneMatch: validators.etag })).feed).toBeDefined();
  site = { ...site, title: 'Another' };
  const renamed = await read({ ifNoneMatch: validators.etag });
  expect(renamed.feed).toContain('<title>Another</title>');
});

test.each<[string, Partial<ServingRecord>, string]>([
  ['private', { access: 'private' }, 'locked'],
  ['password', { access: 'password', passwordStamp: 's' }, 'locked'],
  ['people', { access: 'people' }, 'locked'],
  ['unpublished', { status: 'private' }, 'missing'],
  ['archived', { archivedAt: '2026-03-01T11:00:00.000Z' }, 'missing'],
  ['expired', { expiresAt: '2026-03-01T11:00:00.000Z' }, 'gone'],
  ['taken down', { takenDown: true }, 'withheld'],
])('strangers get no feed of a project that is %s', async (_, changes, kind) => {
  site = { ...site, ...changes };
  expect(await visit()).toMatchObject({ refusal: { kind } });
  expect(reads).toEqual([]);
});

test('an address without a project, and that of a version, have no feed', async () => {
  expect(await visit({}, 'nobody.sites.test')).toMatchObject({ refusal: { kind: 'missing' } });
  expect(await visit({}, '')).toMatchObject({ refusal: { kind: 'missing' } });
});

test('titles and notes are text, whatever they contain', () => {
  const hostile = { title: ']]><x> \uFFFF\u0007 “ü”', pageTitle: null };
  const note = '</summary><entry>\uFFFE\uD800';
  const feed = writeFeed(aSite(hostile), [aVersion({ note })], 'https://a.test/?a&b');
  expect(feed).not.toMatch(/<x>|[^\n\u0020-\u007E]|<\/summary><entry>|a&b/);
  expect(feed.match(/<entry>/g)).toHaveLength(1);
  expect(feed).not.toMatch(/&#(?:7|65534|65535|55296);/);
});

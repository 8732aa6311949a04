import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import JSZip from 'jszip';
import { maxInlineBytes } from '../../../core/visit/decide-visit.ts';
import { cookieFrom, ownersCookie, unlock } from '../../fixtures/visits/access.ts';
import { anEmail, sendWith, signIn } from '../../fixtures/accounts/accounts.ts';
import { adminCommand } from '../../fixtures/accounts/admin.ts';
import { type Answer, ask, file, somebody } from '../../fixtures/clouds/client.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';
import { CustomerDomain } from '../../fixtures/domains/customer-domain.ts';
import { openPreview, preview } from '../../fixtures/projects/preview.ts';
import { provedAt } from '../../fixtures/visits/people.ts';
import { proofSize } from '../../fixtures/proof-size.ts';
import { follow, press, shared } from '../../fixtures/visits/share-links.ts';
import { created, remove } from '../../fixtures/projects/projects.ts';
import { patch, pushed, putAway } from '../../fixtures/projects/versions.ts';

const plan = ['plans.pro.versionsKept=3', 'plans.pro.maxProjects=100'];
const cloud = new LocalCloud('--domain-delay=0', ...plan);
afterAll(() => cloud.remove());

/** An account, and where its projects are published. */
interface Owner {
  key: string;
  domain: Record<string, string>;
}

const places = ['the sites domain', 'a custom domain'] as const;
const owners: Partial<Record<(typeof places)[number], Owner>> = {};

function ownerAt(place: (typeof places)[number]): Owner {
  const found = owners[place];
  if (found === undefined) throw new Error(`nobody publishes at ${place}`);
  return found;
}

/** Stands in everything that a site holds. */
const secret = 'THE-SECRET';
/** Just above the size that the gate serves itself. */
const large = Buffer.alloc(maxInlineBytes + 1024, `${secret} `);

const versionOf = (number: number) => [
  file('index.html', `<h1>${secret} ${number}</h1><link rel=stylesheet href=style.css>`),
  file('style.css', `/* ${secret} ${number} */`),
  file('app-1b2c3d4e.js', `// ${secret} ${number}`),
  file('404.html', `<h1>${secret} 404</h1>`),
  ...(number === 1 ? [file('lazy-9f8e7d6c.js', `// ${secret} lazy`)] : []),
];

interface Site {
  key: string;
  projectId: string;
  url: string;
  /** A bundle with the same settings: its listing, its files, its ZIP. */
  bundle: { projectId: string; url: string };
}

/** The addresses and ETags that a visitor has from the time when the site was public. */
interface Held {
  etags: Record<string, string>;
  largeFile: string;
  preview: string;
}

/** One way to ask for something of a site. */
type Form = (site: Site, held: Held, headers: Record<string, string>) => Promise<Answer>;

const at = (path: string, more: Record<string, string> = {}, method = 'GET'): Form => {
  return ({ url }, _, headers) => ask(url + path, { method, headers: { ...headers, ...more } });
};
/** `from` gives who asks, where one address may ask only so often. */
const ofBundle = (path: string, method = 'GET', from?: () => string): Form => {
  return ({ bundle }, _, headers) =>
    ask(bundle.url + path, { method, headers, ...(from !== undefined && { from: from() }) });
};
/** At the address of a version or a named preview. */
const atHost = (name: string, path: string, more: Record<string, string> = {}): Form => {
  return ({ url }, held, { cookie, ...headers }) =>
    ask(url.replace('.', `--${name}.`) + path, {
      headers: { ...headers, ...more, cookie: joined(cookie, held.preview) },
    });
};
const unchanged = (path: string): Form => {
  return ({ url }, { etags }, headers) =>
    ask(url + path, { headers: { ...headers, 'if-none-match': etags[path] ?? '' } });
};

const forms: Record<string, Form> = {
  page: at('/'),
  'page by name': at('/index.html'),
  asset: at('/style.css'),
  'hashed asset': at('/app-1b2c3d4e.js'),
  'asset of an earlier version': at('/lazy-9f8e7d6c.js'),
  'HEAD of an asset of an earlier version': at('/lazy-9f8e7d6c.js', {}, 'HEAD'),
  'If-None-Match of an asset of an earlier version': unchanged('/lazy-9f8e7d6c.js'),
  'Range of an asset of an earlier version': at('/lazy-9f8e7d6c.js', { range: 'bytes=0-9' }),
  'compressed asset': at('/style.css', { 'accept-encoding': 'gzip, br' }),
  'missing page': at('/nothing-here'),
  'HEAD of the page': at('/', {}, 'HEAD'),
  'HEAD of an asset': at('/style.css', {}, 'HEAD'),
  Range: at('/style.css', { range: 'bytes=0-9' }),
  'If-None-Match of the page': unchanged('/'),
  'If-None-Match of an asset': unchanged('/style.css'),
  'If-None-Match: *': at('/style.css', { 'if-none-match': '*' }),
  'If-Match': at('/style.css', { 'if-match': '"x"' }),
  'preview of an old version': ({ url }, held, headers) =>
    ask(`${url}/`, { headers: { ...headers, cookie: joined(headers['cookie'], held.preview) } }),
  'asset of an old version': ({ url }, held, headers) =>
    ask(`${url}/style.css`, {
      headers: { ...headers, cookie: joined(headers['cookie'], held.preview) },
    }),
  'host of an old version': atHost('v1', '/'),
  'asset at the host of an old version': atHost('v1', '/style.css'),
  'named preview': atHost('pr-1', '/'),
  'Range of an asset of a named preview': atHost('pr-1', '/style.css', { range: 'bytes=0-9' }),
  'large file': ofBundle('/large.txt'),
  'HEAD of a large file': ofBundle('/large.txt', 'HEAD'),
  'Range of a large file': ({ bundle }, _, headers) =>
    ask(`${bundle.url}/large.txt`, { headers: { ...headers, range: 'bytes=0-99' } }),
  'a player’s Range': ({ bundle }, _, headers) =>
    ask(`${bundle.url}/large.txt`, {
      headers: { ...headers, range: 'bytes=0-', 'sec-fetch-dest': 'video' },
    }),
  'address of a large file from before': ({ bundle }, { largeFile }, headers) =>
    ask(bundle.url + largeFile, { headers }),
  'address of a large file from before, HEAD': ({ bundle }, { largeFile }, headers) =>
    ask(bundle.url + largeFile, { method: 'HEAD', headers }),
  'Range of the address of a large file from before': ({ bundle }, { largeFile }, headers) =>
    ask(bundle.url + largeFile, { headers: { ...headers, range: 'bytes=0-99' } }),
  'If-None-Match of the address of a large file': ({ bundle }, { largeFile, etags }, headers) =>
    ask(bundle.url + largeFile, {
      headers: { ...headers, 'if-none-match': etags['large file'] ?? '' },
    }),
  'a forged address of a large file': ({ bundle }, { largeFile }, headers) =>
    ask(bundle.url + largeFile.replace(/[0-9a-f]{32}/, 'a'.repeat(32)), { headers }),
  listing: ofBundle('/'),
  'folder of a listing': ofBundle('/more/'),
  ZIP: ofBundle('/_slipway/zip', 'GET', somebody),
  'ZIP of a folder': ofBundle('/_slipway/zip/more/', 'GET', somebody),
  'HEAD of the ZIP': ofBundle('/_slipway/zip', 'HEAD'),
  feed: at('/_slipway/versions.atom'),
  'HEAD of the feed': at('/_slipway/versions.atom', {}, 'HEAD'),
};

function joined(...cookies: (string | undefined)[]): string {
  return cookies.filter((cookie) => cookie !== undefined).join('; ');
}

const zipped = new JSZip()
  .file('large.txt', large)
  .file('a.txt', secret)
  .file('more/b.txt', secret)
  .generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' });

let sites = 0;

/** With a title of its own: the address of a deleted site is free for the next one with its title. */
async function aSite({ key, domain }: Owner, settled: Record<string, string> = {}): Promise<Site> {
  const service = cloud.baseUrl;
  const fields = { title: `Site ${++sites}`, ...settled, ...domain };
  const site = await created(key, { files: versionOf(1), fields, service });
  await pushed(key, site.projectId, versionOf(2), { service });
  const named = { service, fields: { expiresIn: '90d' } };
  await pushed(key, `${site.projectId}/previews/pr-1`, versionOf(3), named);
  const bundle = await created(key, {
    files: [file('bundle.zip', await zipped)],
    fields: { asFileBundle: 'true', ...fields, title: `Bundle ${sites}` },
    service,
  });
  return { key, projectId: site.projectId, url: site.url, bundle };
}

/** Forms with the whole large file in the answer. */
const heavy = ['address of a large file from before', 'ZIP'];

/**
 * Asks for everything, so that the edge keeps what it may, and keeps what a stranger can keep. It asks again
 * for all that is small, when the edge has the rest.
 */
async function warm(site: Site, headers: Record<string, string> = {}): Promise<Held> {
  const link = (await preview(site.key, site.projectId, 1, cloud.baseUrl)).json.data.url;
  const held: Held = { etags: {}, largeFile: '', preview: await openPreview(link) };
  for (const path of ['/', '/style.css', '/lazy-9f8e7d6c.js']) {
    held.etags[path] = (await ask(site.url + path, { headers })).headers.etag ?? '';
  }
  const moved = await ask(`${site.bundle.url}/large.txt`, { headers });
  held.largeFile = moved.headers.location ?? '';
  const whole = await ask(site.bundle.url + held.largeFile, { headers });
  expect(whole.text).toContain(secret);
  held.etags['large file'] = whole.headers.etag ?? '';
  const statuses: Record<string, number> = {};
  const all = Object.entries(forms);
  for (const [name, form] of [...all, ...all.filter(([name]) => !heavy.includes(name))]) {
    statuses[name] = (await form(site, held, headers)).status;
  }
  expect(statuses).toMatchObject({
    page: 200,
    'asset of an earlier version': 200,
    'If-None-Match of an asset of an earlier version': 304,
    'compressed asset': 200,
    Range: 206,
    'Range of the address of a large file from before': 206,
    'If-None-Match of the address of a large file': 304,
    'a forged address of a large file': 302,
    'If-None-Match of the page': 304,
    'preview of an old version': 200,
    'host of an old version': 200,
    'asset at the host of an old version': 200,
    'named preview': 200,
    'Range of an asset of a named preview': 206,
    'large file': 302,
    'Range of a large file': 302,
    'a player’s Range': 302,
    listing: 200,
    ZIP: 200,
    feed: 200,
  });
  return held;
}

/**
 * The visitor's current responses in every form; the text shows whether they have content of the
 * site.
 */
async function seen(site: Site, held: Held, headers: Record<string, string> = {}) {
  const answers = await Promise.all(
    Object.entries(forms).map(async ([name, form]) => {
      const answer = await form(site, held, headers);
      const { status, text } = answer;
      const isEmpty = status === 304 || status === 206 || answer.headers.etag !== undefined;
      return [name, { status, leak: text.includes(secret) || isEmpty }] as const;
    }),
  );
  return Object.fromEntries(answers);
}

/** Each form refused with this status, nothing of the site in any answer. */
function refused(status: number) {
  return Object.fromEntries(Object.keys(forms).map((name) => [name, { status, leak: false }]));
}

const both = async (site: Site, change: (projectId: string) => Promise<{ status: number }>) => {
  const answers = await Promise.all([site.projectId, site.bundle.projectId].map(change));
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
};
const settings = (body: object) => (site: Site) =>
  both(site, (id) => patch(site.key, id, body, cloud.baseUrl));

const changes: [string, number, (site: Site) => Promise<unknown>][] = [
  ['a password', 401, settings({ access: 'password', password: 'open sesame' })],
  ['private access', 401, settings({ access: 'private' })],
  ['only these people', 401, settings({ access: 'people', people: ['anna@example.org'] })],
  ['proved addresses', 401, settings({ access: 'identify' })],
  ['private status', 404, settings({ status: 'private' })],
  ['archive', 404, (site) => both(site, (id) => putAway(site.key, id, 'archive', cloud.baseUrl))],
  ['deletion', 404, (site) => both(site, (id) => remove(site.key, id, cloud.baseUrl))],
  [
    'takedown',
    451,
    (site) =>
      Promise.all(
        [site.projectId, site.bundle.projectId].map(async (id) => {
          const { code, stderr } = await adminCommand(
            'takedown',
            id,
            '--reason=test',
            '--state-dir',
            cloud.stateDir,
          );
          expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
        }),
      ),
  ],
];

async function another(): Promise<Owner> {
  return { key: await signIn(undefined, cloud.baseUrl), domain: {} };
}

beforeAll(async () => {
  await cloud.start();
  for (const place of places) {
    const key = await signIn(undefined, cloud.baseUrl);
    const isCustom = place === 'a custom domain';
    const customer = isCustom && (await new CustomerDomain(cloud.baseUrl, key).serve());
    owners[place] = { key, domain: customer === false ? {} : { domainId: customer.id } };
  }
}, 600_000);

/** The same code decides at a custom domain. */
const changesAt = {
  'the sites domain': changes,
  'a custom domain': proofSize({
    short: changes.filter(([name]) => ['a password', 'archive'].includes(name)),
    whole: changes,
  }),
};

describe.each(places)(
  'at %s, right after the change a visitor with a warm edge gets no content in any form',
  (place) => {
    test.concurrent.each(changesAt[place])(
      '%s',
      async (_, status, change) => {
        const site = await aSite(ownerAt(place));
        const held = await warm(site);
        await change(site);
        expect(await seen(site, held)).toEqual(refused(status));
        // Nor a moment later, when what was under way then has arrived.
        expect(await seen(site, held)).toEqual(refused(status));
      },
      600_000,
    );

    test.concurrent('another password locks out visitors who entered the old one', async () => {
      const site = await aSite(ownerAt(place), { access: 'password', password: 'open sesame' });
      const [one, two] = await Promise.all(
        [site.url, site.bundle.url].map(async (url) =>
          cookieFrom(await unlock(url, 'open sesame', { from: somebody() })),
        ),
      );
      const headers = { cookie: joined(one) };
      expect((await ask(`${site.url}/`, { headers })).text).toContain(secret);
      const inBundle = { cookie: joined(two) };
      const moved = await ask(`${site.bundle.url}/large.txt`, { headers: inBundle });
      await settings({ access: 'password', password: 'another' })(site);
      const held = { etags: {}, largeFile: moved.headers.location ?? '', preview: 'x=y' };
      expect(await seen(site, held, headers)).toEqual(refused(401));
      expect(await seen(site, held, inBundle)).toEqual(refused(401));
    }, 600_000);

    test.concurrent('a visitor with access gets everything', async () => {
      const site = await aSite(ownerAt(place), { access: 'private' });
      const [one, two] = await Promise.all(
        [site.projectId, site.bundle.projectId].map((id) =>
          ownersCookie(site.key, id, cloud.baseUrl),
        ),
      );
      // Each cookie is for its own host, as a browser would send it.
      const held = { etags: {}, largeFile: '/', preview: '' };
      const mine = await seen(site, held, { cookie: joined(one) });
      expect(mine).toMatchObject({
        page: { status: 200 },
        asset: { status: 200 },
        Range: { status: 206 },
      });
      const bundle = await seen(site, held, { cookie: joined(two) });
      expect(bundle).toMatchObject({
        listing: { status: 200 },
        ZIP: { status: 200 },

        'large file': { status: 302 },
      });
    }, 600_000);
  },
);

/** How a share link of a project ends, or the project with it, and what its readers get then. */
const linkEnds: [string, number, (link: SharedLink) => Promise<Answer>][] = [
  ['it is deleted', 401, ({ at, key }) => sendWith(key, at, undefined, 'DELETE')],
  [
    'it gets a password',
    401,
    ({ at, key }) => sendWith(key, at, { password: 'a new one' }, 'PATCH'),
  ],
  ...proofSize<typeof linkEnds>({
    short: [],
    whole: [
      [
        'the project is archived',
        404,
        ({ key, projectId }) => putAway(key, projectId, 'archive', cloud.baseUrl),
      ],
      [
        'the project is not published',
        404,
        ({ key, projectId }) => patch(key, projectId, { status: 'private' }, cloud.baseUrl),
      ],
      [
        'the project is deleted',
        404,
        ({ key, projectId }) => remove(key, projectId, cloud.baseUrl),
      ],
    ],
  }),
];

interface SharedLink {
  key: string;
  projectId: string;
  /** Its path in the API. */
  at: string;
  headers: { cookie: string };
}

/** A share link of a project, and the cookie of a browser that has opened it. */
async function sharedBy(key: string, projectId: string, fields = {}): Promise<SharedLink> {
  const { id, url } = await shared(key, projectId, fields, cloud.baseUrl);
  const opened = await follow(url);
  expect(opened.status).toBe(303);
  const at = `${cloud.baseUrl}/v1/projects/${projectId}/links/${id}`;
  return { key, projectId, at, headers: { cookie: cookieFrom(opened) } };
}

describe.each(places)('at %s, a share link gives everything of a private site until', (place) => {
  test.concurrent.each(linkEnds)(
    '%s',
    async (_, status, end) => {
      const site = await aSite(ownerAt(place), { access: 'private' });
      const { key } = site;
      const ofSite = await sharedBy(key, site.projectId);
      const inBundle = await sharedBy(key, site.bundle.projectId);
      const link = (await preview(key, site.projectId, 1, cloud.baseUrl)).json.data;
      const held: Held = { etags: {}, largeFile: '', preview: await openPreview(link.url) };
      const page = await ask(`${site.url}/`, ofSite);
      expect(page.headers['cache-control']).toBe('private, no-store');
      for (const path of ['/', '/style.css', '/lazy-9f8e7d6c.js'])
        held.etags[path] = (await ask(site.url + path, ofSite)).headers.etag ?? '';
      held.largeFile = (await ask(`${site.bundle.url}/large.txt`, inBundle)).headers.location ?? '';
      const address = site.bundle.url + held.largeFile;
      held.etags['large file'] = (await ask(address, inBundle)).headers.etag ?? '';
      // Twice, so that the edge and the gate have whatever they keep.
      for (let turn = 0; turn < 2; turn += 1) {
        expect(await seen(site, held, ofSite.headers)).toMatchObject({
          page: { status: 200, leak: true },
          asset: { status: 200 },
          Range: { status: 206 },
          'asset of an earlier version': { status: 200 },
          'If-None-Match of the page': { status: 304 },
          'host of an old version': { status: 200 },
          // A link shows none of the named previews.
          'named preview': { status: 302, leak: false },
          listing: { status: 401, leak: false },
        });
        expect(await seen(site, held, inBundle.headers)).toMatchObject({
          listing: { status: 200 },
          ZIP: { status: 200 },
          'large file': { status: 302 },
          'Range of the address of a large file from before': { status: 206 },
          'If-None-Match of the address of a large file': { status: 304 },
          page: { status: 401, leak: false },
        });
      }
      const versionHost = new URL(link.versionHostUrl).origin;
      expect((await ask(`${versionHost}/`, ofSite)).text).not.toContain(secret);
      const ended = await Promise.all([ofSite, inBundle].map(end));
      expect(ended.map((answer) => answer.status)).toEqual([200, 200]);
      for (let turn = 0; turn < 2; turn += 1) {
        expect(await seen(site, held, ofSite.headers)).toEqual(refused(status));
        expect(await seen(site, held, inBundle.headers)).toEqual(refused(status));
      }
    },
    600_000,
  );
});

test('a share link ends at the exact second, in every form', async () => {
  const site = await aSite(await another(), { access: 'private' });
  const expiresAt = new Date((await cloud.now()).getTime() + 3600_000).toISOString();
  const ofSite = await sharedBy(site.key, site.projectId, { expiresAt });
  const inBundle = await sharedBy(site.key, site.bundle.projectId, { expiresAt });
  const moved = await ask(`${site.bundle.url}/large.txt`, inBundle);
  const held: Held = { etags: {}, largeFile: moved.headers.location ?? '', preview: 'x=y' };
  await cloud.advance((Date.parse(expiresAt) - (await cloud.now()).getTime()) / 1000 - 30);
  expect(await seen(site, held, ofSite.headers)).toMatchObject({ page: { status: 200 } });
  expect(await seen(site, held, inBundle.headers)).toMatchObject({
    ZIP: { status: 200 },
    'Range of the address of a large file from before': { status: 206 },
  });
  await cloud.advance(30);
  expect(await seen(site, held, ofSite.headers)).toEqual(refused(401));
  expect(await seen(site, held, inBundle.headers)).toEqual(refused(401));
}, 600_000);

const { readers, afterTheEnd } = proofSize({
  short: { readers: 2, afterTheEnd: 2 },
  whole: { readers: 8, afterTheEnd: 5 },
});

test('while the version of a share link leaves the history, its readers get that version whole, or nothing', async () => {
  const { key } = await another();
  const service = cloud.baseUrl;
  const names = ['a.txt', 'b.txt', 'assets/c-1b2c3d4e.txt'];
  const filesOf = (version: number) =>
    names.map((name) => file(name, `version ${version}; ${'x'.repeat(2000)}`));
  const fields = { access: 'private', asFileBundle: 'true' };
  const { projectId, url } = await created(key, { files: filesOf(1), fields, service });
  const push = (version: number) =>
    pushed(key, projectId, filesOf(version), { service, fields: { asFileBundle: 'true' } });
  await push(2);
  const { headers } = await sharedBy(key, projectId, { version: 1 });
  const shown: Record<string, number> = {};
  const read = async () => {
    const asked = { headers, from: somebody() };
    for (const name of ['', ...names, '_slipway/zip']) {
      const { status, text, body } = await ask(`${url}/${name}`, asked);
      shown[status] = (shown[status] ?? 0) + 1;
      expect(text).not.toMatch(/version [2-9]/);
      if (status !== 200) expect(text).not.toContain('version 1');
      else if (name.endsWith('zip')) {
        const { files } = await JSZip.loadAsync(body);
        const texts = await Promise.all(names.map(async (one) => files[one]?.async('string')));
        expect(texts.map((one) => one?.slice(0, 10))).toEqual(names.map(() => 'version 1;'));
      } else if (name !== '') expect(text).toBe(`version 1; ${'x'.repeat(2000)}`);
    }
  };
  await read();
  expect(shown).toEqual({ 200: 5 });
  const over = new AbortController();
  const reading = Array.from({ length: readers }, async () => {
    while (!over.signal.aborted) await read();
  });
  await push(3);
  expect((await ask(`${url}/a.txt`, { headers })).status).toBe(200);
  await push(4);
  const ended = { ...shown };
  for (let version = 5; version < 5 + afterTheEnd; version += 1) await push(version);
  over.abort();
  await Promise.all(reading);
  console.log(
    `answers while version 1 left the history: ${JSON.stringify(shown)}; before: ${JSON.stringify(ended)}`,
  );
  for (const name of ['', ...names, '_slipway/zip']) {
    const { status, text } = await ask(`${url}/${name}`, { headers, from: somebody() });
    expect([status, text.trim()]).toEqual([302, '']);
  }
}, 600_000);

test('a limited link is opened again after 30 minutes, and its files load for 12 hours', async () => {
  const site = await aSite(await another(), { access: 'private' });
  const made = await shared(site.key, site.projectId, { maxOpens: 2 }, cloud.baseUrl);
  const cookie = cookieFrom(await press(made.url));
  await cloud.advance(30 * 60 - 10);
  expect((await follow(`${site.url}/`, cookie)).status).toBe(200);
  await cloud.advance(20);
  const asset = { headers: { cookie, 'sec-fetch-mode': 'no-cors' } };
  expect((await ask(`${site.url}/style.css`, asset)).status).toBe(200);
  const renewal = await follow(`${site.url}/index.html?a=b`, cookie);
  expect([renewal.status, renewal.headers.location]).toEqual([
    302,
    '/_slipway/share?to=%2Findex.html%3Fa%3Db',
  ]);
  const again = await follow(site.url + renewal.headers.location, cookie);
  expect([again.status, again.headers.location]).toEqual([303, '/index.html?a=b']);
  expect((await follow(`${site.url}/`, cookieFrom(again))).status).toBe(200);
  await cloud.advance(31 * 60);
  const third = await follow(`${site.url}/_slipway/share?to=%2F`, cookieFrom(again));
  expect([third.status, third.headers['set-cookie']?.[0]]).toEqual([
    410,
    expect.stringContaining('Max-Age=0'),
  ]);
  expect(third.text).toContain('This link has been used up');
  await cloud.advance(12 * 3600);
  expect((await ask(`${site.url}/style.css`, asset)).status).toBe(401);
}, 600_000);

test('a project expires at the exact second, in every form', async () => {
  const site = await aSite(await another());
  const held = await warm(site);
  await settings({ expiresIn: '24h' })(site);
  await cloud.advance(24 * 3600 - 60);
  expect((await ask(site.bundle.url + held.largeFile)).status).toBe(200);
  await cloud.advance(60);
  expect(await seen(site, held)).toEqual(refused(410));
}, 600_000);

test('requests that no browser sends give no access', async () => {
  const site = await aSite(await another(), { access: 'private' });
  const token = { authorization: `Bearer ${site.key}` };
  const forged = {
    'x-slipway-access': 'anything',
    'x-slipway-host': new URL(site.url).hostname,
    cookie: '__Host-slipway-access=anything; slipway-access=anything',
    ...token,
  };
  const held = { etags: {}, largeFile: '/', preview: '' };
  for (const { status, leak } of Object.values(await seen(site, held, forged))) {
    expect({ status, leak }).toEqual({ status: 401, leak: false });
  }
  // The settings are the owner's all the same.
  const shown = await sendWith(
    site.key,
    `${cloud.baseUrl}/v1/projects/${site.projectId}`,
    undefined,
    'GET',
  );
  expect(shown.json.data.access).toBe('private');
}, 600_000);

/** Ways in which the owner of a site ends the access of somebody who proved an address. */
const peopleEnds: [
  string,
  'people' | 'identify',
  (site: Site, email: string) => Promise<unknown>,
][] = [
  ['they are off the list', 'people', (site) => settings({ people: ['else@example.org'] })(site)],
  ['they are denied', 'identify', (site, email) => settings({ deniedPeople: [email] })(site)],
  [
    'the owner ends it',
    'people',
    (site) =>
      both(site, async (id) => {
        const at = `${cloud.baseUrl}/v1/projects/${id}/visitors`;
        const { visitors } = (await sendWith(site.key, at, undefined, 'GET')).json.data;
        return sendWith(site.key, `${at}/${visitors[0].id}`, undefined, 'DELETE');
      }),
  ],
  ...proofSize<typeof peopleEnds>({
    short: [],
    whole: [['nobody but the owner may see it', 'identify', settings({ access: 'private' })]],
  }),
  ['30 days have passed', 'identify', async () => cloud.advance(30 * 86_400)],
];

/** The last one moves the clock. */
const peopleCases = [
  ...peopleEnds.slice(0, 2).map((one) => ['a custom domain', ...one] as const),
  ...peopleEnds.map((one) => ['the sites domain', ...one] as const),
];

describe('who proved an address gets everything, also after the list has another entry, until', () => {
  test.each(peopleCases)(
    'at %s, %s',
    async (place, _, access, end) => {
      const email = anEmail();
      const settled = { access, ...(access === 'people' && { people: `@nobody.test, ${email}` }) };
      const owner = await another();
      const domain = place === 'a custom domain' && new CustomerDomain(cloud.baseUrl, owner.key);
      if (domain) owner.domain = { domainId: (await domain.serve()).id };
      const site = await aSite(owner, settled);
      const service = cloud.baseUrl;
      const ofSite = { cookie: await provedAt(site.url, email, service) };
      const inBundle = { cookie: await provedAt(site.bundle.url, email, service) };
      if (access === 'people') await settings({ people: [email, '@another.test'] })(site);
      const link = (await preview(site.key, site.projectId, 1, service)).json.data;
      const held: Held = { etags: {}, largeFile: '', preview: await openPreview(link.url) };
      for (const path of ['/', '/style.css', '/lazy-9f8e7d6c.js'])
        held.etags[path] = (await ask(site.url + path, { headers: ofSite })).headers.etag ?? '';
      const moved = await ask(`${site.bundle.url}/large.txt`, { headers: inBundle });
      held.largeFile = moved.headers.location ?? '';
      const whole = await ask(site.bundle.url + held.largeFile, { headers: inBundle });
      held.etags['large file'] = whole.headers.etag ?? '';
      for (let turn = 0; turn < 2; turn += 1) {
        expect(await seen(site, held, ofSite)).toMatchObject({
          page: { status: 200, leak: true },
          asset: { status: 200 },
          Range: { status: 206 },
          'If-None-Match of the page': { status: 304 },
          'preview of an old version': { status: 200 },
          'asset at the host of an old version': { status: 200 },
          'named preview': { status: 200 },
          listing: { status: 401, leak: false },
        });
        expect(await seen(site, held, inBundle)).toMatchObject({
          listing: { status: 200 },
          ZIP: { status: 200 },
          'large file': { status: 302 },
          'Range of the address of a large file from before': { status: 206 },
          page: { status: 401, leak: false },
        });
      }
      expect(await seen(site, held)).toEqual(refused(401));
      await end(site, email);
      for (let turn = 0; turn < 2; turn += 1) {
        expect(await seen(site, held, ofSite)).toEqual(refused(401));
        expect(await seen(site, held, inBundle)).toEqual(refused(401));
      }
    },
    600_000,
  );
});

import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import JSZip from 'jszip';
import { signIn } from '../../fixtures/accounts/accounts.ts';
import { ask, baseUrl, file, isLocal, publish } from '../../fixtures/clouds/client.ts';
import { preview } from '../../fixtures/projects/preview.ts';
import { created } from '../../fixtures/projects/projects.ts';
import { patch, push } from '../../fixtures/projects/versions.ts';

type Files = Readonly<Record<string, string | Buffer>>;

async function partsOf(files: Files) {
  const zip = new JSZip();
  for (const [name, content] of Object.entries(files)) zip.file(name, content);
  const body = await zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' });
  return [file('site.zip', body), { name: 'zipIndexHtmlPath', body: 'index.html' }];
}

const page = (title: string) => `<!doctype html><title>${title}</title>`;
const index = { 'index.html': page('Home') };

async function site(files: Files) {
  const { json } = await publish(await partsOf({ ...index, ...files }));
  return json.data;
}

/** What a path is answered with: `200 Title`, or `301 address`; `404` where that is our own page. */
async function at(url: string, path: string): Promise<string> {
  const { status, headers, text } = await ask(url + path);
  const [, title = ''] = /<title>([A-Z][a-z ]+)<\/title>/i.exec(text) ?? [];
  return `${status} ${headers.location ?? title}`.trim();
}

async function answers(files: Files, paths: readonly string[]): Promise<string[]> {
  const { url } = await site(files);
  return Promise.all(paths.map((path) => at(url, path)));
}

async function messages(_redirects: string): Promise<string[]> {
  const { warnings } = await site({ _redirects });
  return warnings.map((one: { message: string }) => one.message);
}

const about = { 'about.html': page('About') };

async function aboutPages() {
  expect(await answers(about, ['/about', '/about.html'])).toEqual(['200 About', '200 About']);
  if (!isLocal) return;
  const key = await signIn();
  const project = await created(key, { files: await partsOf({ ...index, ...about }) });
  await patch(key, project.projectId, { prettyUrls: true });
  expect(await at(project.url, '/about.html')).toBe('301 /about');
}

async function missingPages() {
  const files = { '404.html': page('Lost'), 'en/404.html': page('Lost in English') };
  const found = await answers(files, ['/a/b', '/en/shop/x']);
  expect(found).toEqual(['404 Lost', '404 Lost in English']);
}

async function applications() {
  expect(await answers({}, ['/tides/today', '/app.js'])).toEqual(['200 Home', '404']);
  expect(await answers(about, ['/tides'])).toEqual(['404']);
  expect(await answers({ ...about, _redirects: '/* /index.html 200' }, ['/tides'])).toEqual([
    '200 Home',
  ]);
  expect(await answers({ '200.html': page('Shell') }, ['/tides'])).toEqual(['200 Shell']);
}

async function redirectStatus() {
  expect(await answers({ _redirects: '/old /new' }, ['/old'])).toEqual(['301 /new']);
}

async function fileAtRule() {
  const _redirects = '/about /a\n/forced /b 301!\n/page /index.html 200';
  const files = { ...about, 'forced.html': page('Forced'), 'page.html': page('Page'), _redirects };
  const paths = ['/about', '/forced', '/page'];
  expect(await answers(files, paths)).toEqual(['200 About', '301 /b', '200 Page']);
  const redirects = [{ source: '/about', destination: '/a', type: 301 }];
  const firebase = JSON.stringify({ hosting: { redirects } });
  expect(await answers({ ...about, 'firebase.json': firebase }, ['/about'])).toEqual(['301 /a']);
}

/** A request or more for the column "Here" of each row, by the row's first cell. */
const rows: Readonly<Record<string, () => Promise<void>>> = {
  '`/about.html`, also at `/about`': aboutPages,
  '`about.html` at `/about`': aboutPages,
  'Missing page': missingPages,
  'Single-page application': applications,
  'Default status of a rule': redirectStatus,
  'Status of a redirect': redirectStatus,
  'Statuses of redirects': async () => {
    const statuses = [301, 302, 303, 307, 308];
    const _redirects = statuses.map((status) => `/r${status} /new ${status}`).join('\n');
    const paths = statuses.map((status) => `/r${status}`);
    expect(await answers({ _redirects }, paths)).toEqual(statuses.map((one) => `${one} /new`));
  },
  'Statuses that show a file': async () => {
    const _redirects = '/a /about.html 200\n/b /about.html 404\n/c /about.html 410';
    const found = await answers({ ...about, _redirects }, ['/a', '/b', '/c']);
    expect(found).toEqual(['200 About', '404 About', '410 About']);
  },
  'A file at the path of a rule': fileAtRule,
  'A file at the path of a redirect': fileAtRule,
  'A file at the path of a rewrite': fileAtRule,
  'Conditions (country, language, cookie) and queries in rules': async () => {
    const all = await messages('/a /b 301 Country=de\n/c /d 301 Cookie=e\n/f id=:id /g 301');
    expect(all).toHaveLength(3);
    for (const one of all) expect(one).toContain('not supported');
  },
  'Proxying other sites by a rule': async () => {
    expect(await messages('/api/* https://api.example/:splat 200')).toEqual([
      expect.stringContaining('no proxying'),
    ]);
  },
  'Number of redirects': async () => {
    const fixed = Array.from({ length: 2001 }, (_, at) => `/f${at} /new`);
    const dynamic = Array.from({ length: 101 }, (_, at) => `/d${at}/* /new`);
    expect(await messages([...fixed, ...dynamic].join('\n'))).toEqual([
      expect.stringContaining('At most 2000 rules without'),
      expect.stringContaining('At most 100 rules with'),
    ]);
  },
  'Invalid lines': async () => {
    const { url, warnings } = await site({ _redirects: 'nonsense\n/old /new' });
    expect(warnings).toMatchObject([{ file: '_redirects', line: 1 }]);
    expect(await at(url, '/old')).toBe('301 /new');
  },
  'Assets of the previous version': async () => {
    const key = await signIn();
    const first = { ...index, 'a-BX3f9a1C.js': '1', 'plain.js': '1' };
    const project = await created(key, { files: await partsOf(first) });
    await push(key, project.projectId, await partsOf(index));
    const found = await Promise.all(
      ['/a-BX3f9a1C.js', '/plain.js'].map((path) => ask(project.url + path)),
    );
    expect(found.map(({ status }) => status)).toEqual([200, 404]);
  },
  'One version at a host of its own': async () => {
    const key = await signIn();
    const project = await created(key, { files: await partsOf(index) });
    const { json } = await preview(key, project.projectId, 1, baseUrl);
    expect(json.data.versionHostUrl).toContain(`//${project.slug}--v1.`);
    expect((await ask(json.data.versionHostUrl)).status).toBe(302);
  },
  'Files above 4 MB': async () => {
    const headers = '/*\n  X-A: 1\n  Cross-Origin-Embedder-Policy: require-corp';
    const large = Buffer.alloc(5 * 1024 * 1024, 'large');
    const { url } = await site({ 'large.bin': large, _headers: headers });
    const { headers: to } = await ask(`${url}/large.bin`);
    const sent = await ask(url + String(to.location), { headers: { range: 'bytes=0-4' } });
    expect([sent.status, sent.text, sent.headers['x-a']]).toEqual([206, 'large', undefined]);
    expect(sent.headers['cross-origin-embedder-policy']).toBe('require-corp');
    const condition = { 'if-none-match': sent.headers.etag };
    const again = await ask(url + String(to.location), { headers: condition });
    expect(again.status).toBe(304);
  },
  'What is not published': async () => {
    const files = { '.env': 'A=1', 'node_modules/a.js': '1', 'draft.txt': 'x', 'b.txt': 'y' };
    const { url, warnings } = await site({ ...files, '.slipwayignore': 'draft.txt' });
    const found = await Promise.all(Object.keys(files).map((path) => at(url, `/${path}`)));
    expect(found.map((one) => one.slice(0, 3))).toEqual(['404', '404', '404', '200']);
    expect(warnings).toMatchObject([{ kind: 'left-out', count: 3 }]);
  },
  Functions: async () => {
    const hello = 'export const onRequest = () => new Response("a")';
    const { url, warnings } = await site({ 'functions/hello.js': hello });
    expect(warnings).toMatchObject([{ file: 'functions/' }]);
    expect((await ask(`${url}/functions/hello.js`)).status).toBe(404);
  },
};

const [, ...comparisons] = readFileSync('docs/static-hosting.md', 'utf8').split(/^## Compared /m);
const named = comparisons.flatMap((text) =>
  [...text.matchAll(/^\| ([^|]+?) \| [^|-]/gm)].map(([, name = '']) => name),
);

test('each row of the comparisons is tried', () => {
  expect([...new Set(named)].toSorted()).toEqual(Object.keys(rows).toSorted());
});

test.each(Object.entries(rows))('as docs/static-hosting.md says: %s', (_, tried) => tried());

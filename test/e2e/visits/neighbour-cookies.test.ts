import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import JSZip from 'jszip';
import { cookieFrom, createOwnerLink } from '../../fixtures/visits/access.ts';
import { signIn } from '../../fixtures/accounts/accounts.ts';
import {
  type Answer,
  ask,
  baseUrl,
  file,
  isLocal,
  openTag,
  somebody,
} from '../../fixtures/clouds/client.ts';
import {
  maxRequestBytes,
  neighbourCookies,
  withOwn,
} from '../../fixtures/visits/neighbour-cookies.ts';
import { open } from '../../fixtures/visits/opens.ts';
import { preview, push } from '../../fixtures/projects/preview.ts';
import { created } from '../../fixtures/projects/projects.ts';

// The codes are read from the local inbox.
const local = isLocal ? describe : describe.skip;

/** A bundle with a file that goes by a link of its own. */
async function pages(text: string) {
  const zip = new JSZip();
  zip.file('index.html', `<!doctype html><h1>${text}</h1>`).file('style.css', `/* ${text} */`);
  zip.file('large.txt', Buffer.alloc(5 * 1024 * 1024, 'Slipway '));
  const bytes = await zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' });
  return [file('site.zip', bytes, 'application/zip')];
}
/** Room for the longest of the other headers: the link to a large file, and our own cookie. */
const justUnder = neighbourCookies(maxRequestBytes - 2000);

let key = '';
let projectId = '';
let url = '';
beforeAll(async () => {
  if (!isLocal) return;
  key = await signIn();
  const fields = { access: 'password', password: 'open sesame' };
  ({ projectId, url } = await created(key, { files: await pages('old'), fields }));
  expect((await push(key, projectId, await pages('live'), baseUrl)).status).toBe(200);
});

/** A visitor whose browser has cookies of neighbours, and its answers in short. */
class Visitor {
  readonly seen: Record<string, unknown> = {};
  private readonly from = somebody();
  private readonly neighbours: string | undefined;

  constructor(neighbours?: string) {
    this.neighbours = neighbours;
  }

  headers(own?: string) {
    return withOwn(this.neighbours, own);
  }

  async get(path: string, own?: string, method = 'GET'): Promise<Answer> {
    const target = path.startsWith('http') ? path : url + path;
    const answer = await ask(target, { method, headers: this.headers(own), from: this.from });
    return this.note(`${method} ${nameOf(target)}`, answer);
  }

  async send(path: string, form: Record<string, string>, own?: string): Promise<Answer> {
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      ...this.headers(own),
    };
    const body = new URLSearchParams(form).toString();
    const answer = await ask(url + path, { method: 'POST', headers, body, from: this.from });
    return this.note(`POST ${path}`, answer);
  }

  note(name: string, answer: Answer): Answer {
    const { status, headers, body } = answer;
    this.seen[`${Object.keys(this.seen).length} ${name}`] = {
      status,
      type: headers['content-type'],
      caching: headers['cache-control'],
      location: headers.location === undefined ? undefined : nameOf(headers.location),
      cookies: headers['set-cookie']?.map((cookie) => cookie.split('=')[0]),
      body: createHash('sha256').update(body).digest('hex'),
    };
    return answer;
  }
}

/** An address without its signature or token. */
function nameOf(address: string): string {
  return address.replace(/\?.*/s, '').replace(/(owner|preview)\/[\w.-]{20,}/, '$1/…');
}

/** Everything that a visitor of a site may do, one after the other. */
async function walk(visitor: Visitor): Promise<Record<string, unknown>> {
  await visitor.get('/');
  const entered = cookieFrom(await visitor.send('/_slipway/unlock', { password: 'open sesame' }));
  const page = await visitor.get('/', entered);
  await visitor.get('/style.css', entered);
  await visitor.get('/style.css', entered, 'HEAD');
  await visitor.get('/nothing-here', entered);
  const { location = '' } = (await visitor.get('/large.txt', entered)).headers;
  await visitor.get(new URL(location, url).href, entered);
  await visitor.get('/_slipway/zip', entered);
  const [tag = ''] = openTag.exec(page.body.toString()) ?? [];
  await visitor.get(/\/_slipway\/assets\/open-\w+\.js/.exec(tag)?.[0] ?? 'no script', entered);
  visitor.note('open', await open(url, { headers: visitor.headers(entered) }));

  const owner = cookieFrom(
    await visitor.get((await createOwnerLink(key, projectId, baseUrl)).json.data.url),
  );
  await visitor.get('/', owner);
  const shown = cookieFrom(
    await visitor.get((await preview(key, projectId, 1, baseUrl)).json.data.url, owner),
  );
  await visitor.get('/', `${owner}; ${shown}`);
  await visitor.get('/_slipway/preview/off', `${owner}; ${shown}`);
  await visitor.get('/_slipway/report');
  await visitor.send('/_slipway/report', { reason: 'phishing', message: 'It asks for my card.' });
  return visitor.seen;
}

local('cookies that a neighbour sets for all sites', () => {
  test('change nothing on a site, as long as CloudFront accepts the request', async () => {
    const alone = await walk(new Visitor());
    expect(Object.values(alone).map((answer) => (answer as { status: number }).status)).toEqual(
      expect.not.arrayContaining([400, 403, 413, 431, 500, 502, 503]),
    );
    expect(await walk(new Visitor(justUnder))).toEqual(alone);
  });

  test('do not split the edge’s cache: visitors with other cookies share it', async () => {
    const site = (await created(key, { files: await pages('kept') })).url;
    const askWithCookies = (letter: string) =>
      ask(`${site}/style.css`, { headers: { cookie: neighbourCookies(15_000, letter) } });
    const answers = [
      await ask(`${site}/style.css`),
      await askWithCookies('a'),
      await askWithCookies('b'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers.slice(1).map(({ headers }) => headers['x-cache'])).toEqual([
      'Hit from cloudfront',
      'Hit from cloudfront',
    ]);
  });

  test('with the name of our cookie do not lock out a visitor with access', async () => {
    const visitor = new Visitor();
    const own = cookieFrom(await visitor.send('/_slipway/unlock', { password: 'open sesame' }));
    const forged = own.replace(/.{43}$/, 'A'.repeat(43));
    const junk = '__Host-slipway-access=junk';
    for (const cookie of [`${junk}; ${own}`, `${own}; ${junk}`, `${own}; ${forged}`]) {
      expect((await ask(`${url}/`, { headers: { cookie } })).status).toBe(200);
    }
    for (const cookie of [forged, junk, own.replace('__Host-', '')]) {
      expect((await ask(`${url}/`, { headers: { cookie } })).status).toBe(401);
    }
  });

  test('that exceed 20,480 bytes with the rest of the request are refused by CloudFront', async () => {
    const cookie = 'c'.repeat(maxRequestBytes);
    for (const path of ['/', '/style.css', '/_slipway/unlock']) {
      const { status, headers } = await ask(url + path, { headers: { cookie } });
      expect([status, headers['x-cache']]).toEqual([413, 'Error from cloudfront']);
    }
  });
});

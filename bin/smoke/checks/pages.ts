import { domainTarget } from '../../../core/domains/required-records.ts';
import type { Check } from '../check.ts';
import { expectHeader, expectStatus, expectText, expectThat, Skipped } from '../expectations.ts';

const pages: Check = {
  name: 'pages',
  why: 'Visitors see no published page at all.',
  async run(stage) {
    const page = await stage.send(`${await stage.site()}/`);
    expectStatus(page, 200);
    expectText(page, '<h1>Smoke test</h1>');
  },
};

const encodedPaths: Check = {
  name: 'encoded-paths',
  why: 'Files whose names need escapes are not found, or a path leads to the wrong file.',
  async run(stage) {
    const site = await stage.site();
    expectText(expectStatus(await stage.send(`${site}/a%20b.txt`), 200), 'a space');
    expectText(expectStatus(await stage.send(`${site}/a+b.txt`), 200), 'a plus sign');
    expectText(expectStatus(await stage.send(`${site}/a%2Bb.txt?x=%2F+%20`), 200), 'a plus sign');
    expectStatus(await stage.send(`${site}/style.css%2F`), 404);
    expectStatus(await stage.send(`${site}/a%2Fb.txt`), 404);
    // CloudFront chooses the behaviour by the path without its escapes and dots, the functions by the path as it was sent.
    for (const path of ['/%5Fslipway/nothing', '/x/../_slipway/nothing']) {
      expectStatus(await stage.send(`${site}${path}`), 404);
    }
    // CloudFront takes this header for the hash that it signs.
    const headers = { 'x-amz-content-sha256': '0000' };
    expectStatus(await stage.send(`${site}/style.css`, { headers }), 200);
  },
};

const headLength: Check = {
  name: 'head-length',
  why: 'A HEAD request is answered with an error or with a body.',
  async run(stage) {
    const answer = await stage.send(`${await stage.site()}/style.css`, { method: 'HEAD' });
    expectStatus(answer, 200);
    const length = answer.headers['content-length'];
    const renamed = answer.headers['x-amzn-remapped-content-length'];
    return `Content-Length is ${length ?? 'absent'}, x-amzn-remapped-content-length is ${String(renamed ?? 'absent')}`;
  },
};

const pageRevalidates: Check = {
  name: 'page-revalidates',
  why: 'Either each view transfers the page again, or the edge shows pages that have changed and visits are not counted.',
  async run(stage) {
    const site = await stage.site();
    expectStatus(await stage.send(`${site}/`), 200);
    await stage.eventually(async () => {
      const again = expectStatus(await stage.send(`${site}/`), 200);
      expectHeader(again, 'x-cache', /^RefreshHit from cloudfront$/i);
    });
  },
};

const serviceWorker: Check = {
  name: 'service-worker',
  why: 'The service worker of a former site at this address keeps running in browsers.',
  async run(stage) {
    const { protocol, host } = new URL(await stage.site());
    const url = `${protocol}//no-such-site.${host.replace(/^[^.]+\./, '')}/sw.js`;
    const worker = await stage.send(url, { headers: { 'service-worker': 'script' } });
    expectStatus(worker, 200);
    expectHeader(worker, 'content-type', /^text\/javascript/);
    expectHeader(worker, 'service-worker-allowed', '/');
    expectStatus(await stage.send(url), 404);
  },
};

const customerTarget: Check = {
  name: 'customer-target',
  why: 'The DNS records of all customers lead nowhere, or to a page of a stranger.',
  async run(stage) {
    const { protocol, host } = new URL(await stage.site());
    const url = `${protocol}//${domainTarget(host.replace(/^[^.]+\./, ''))}/`;
    const answer = expectStatus(await stage.send(url), 404);
    expectText(answer, 'There is nothing at this address');
  },
};

const sitePreflight: Check = {
  name: 'site-preflight',
  why: 'Pages of other domains cannot read the files of a site with a header of their own.',
  async run(stage) {
    const asked = {
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'x-a',
    };
    const headers = { origin: 'https://elsewhere.example', ...asked };
    const url = `${await stage.site()}/style.css`;
    const answer = expectStatus(await stage.send(url, { method: 'OPTIONS', headers }), 204);
    expectHeader(answer, 'access-control-allow-origin', '*');
    expectHeader(answer, 'access-control-allow-headers', 'x-a');
  },
};

const bareDomain: Check = {
  name: 'bare-domain',
  why: 'Whoever shortens the address of a site gets an error.',
  async run(stage) {
    const { protocol, host } = new URL(await stage.site());
    const url = `${protocol}//${host.replace(/^[^.]+\./, '')}/`;
    const answer = await stage.send(url).catch(skippedWithoutRecord);
    expectHeader(expectStatus(answer, 302), 'location', `${stage.baseUrl}/`);
  },
};

/** Not every DNS provider has ALIAS records. */
function skippedWithoutRecord(error: unknown): never {
  const isUnknown = error instanceof Error && 'code' in error && error.code === 'ENOTFOUND';
  if (isUnknown) throw new Skipped('it has no DNS record');
  throw error;
}

/** Beyond every limit that AWS documents for a request without its body. */
const probeBytes = 40_000;
/** The search for the limit stops when it is known to this many bytes. */
const probeStep = 500;

const requestLimit: Check = {
  name: 'request-limit',
  why: 'A request that is too large is answered as if it were a normal one.',
  async run(stage) {
    const url = `${await stage.site()}/`;
    const statusWith = async (bytes: number) => {
      const headers = { cookie: `c=${'c'.repeat(bytes - 2)}` };
      return (await stage.send(url, { headers })).status;
    };
    const status = await statusWith(probeBytes);
    expectThat(status >= 400, `a request with ${probeBytes} bytes of cookies answered ${status}`);
    let [passes, fails] = [0, probeBytes];
    while (fails - passes > probeStep) {
      const middle = Math.round((passes + fails) / 2);
      if ((await statusWith(middle)) < 400) passes = middle;
      else fails = middle;
    }
    return `${passes} bytes of cookies pass, ${fails} do not; ${probeBytes} answer ${status}`;
  },
};

/** What visitors get from a public site. They need no key. */
export const pageChecks: readonly Check[] = [
  pages,
  encodedPaths,
  headLength,
  pageRevalidates,
  serviceWorker,
  customerTarget,
  sitePreflight,
  bareDomain,
  requestLimit,
];

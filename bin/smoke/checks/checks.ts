import type { Check } from '../check.ts';
import { accessChecks } from './access.ts';
import { agentChecks } from './agents.ts';
import { apiChecks } from './api.ts';
import { changeChecks } from './changes.ts';
import { pageChecks } from './pages.ts';
import { uploadChecks } from './uploads.ts';
import { once } from 'node:events';
import tls, { type SecureVersion } from 'node:tls';
import {
  Skipped,
  expectHeader,
  expectJson,
  expectStatus,
  expectText,
  expectThat,
} from '../expectations.ts';
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { jsonBody } from '../http-client.ts';
import { type SmokeStage, largeBytes, siteFiles } from '../smoke-stage.ts';

const timeoutMs = 10_000;

/** Whether a server agrees to a version of TLS. */
async function acceptsTls(url: string, version: SecureVersion): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const socket = tls.connect({
    host: hostname,
    servername: hostname,
    port: port === '' ? 443 : Number(port),
    minVersion: version,
    maxVersion: version,
    // OpenSSL itself would refuse versions before 1.2.
    ciphers: 'DEFAULT@SECLEVEL=0',
  });
  socket.setTimeout(timeoutMs, () => socket.destroy(new Error('no answer')));
  try {
    await once(socket, 'secureConnect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

const tlsVersions: Check = {
  name: 'tls',
  why: 'Visitors can be made to use encryption that is broken.',
  needs: 'https',
  async run(stage) {
    for (const url of [stage.baseUrl, await stage.site()]) {
      const { host } = new URL(url);
      expectThat(await acceptsTls(url, 'TLSv1.2'), `${host} refuses TLS 1.2`);
      expectThat(!(await acceptsTls(url, 'TLSv1.1')), `${host} accepts TLS 1.1`);
    }
  },
};

const tlsChecks: readonly Check[] = [tlsVersions];

const Domains = z.object({
  data: z.object({
    domains: z.array(z.object({ id: z.string(), domain: z.string(), status: z.string() })),
  }),
});

async function servedDomain(stage: SmokeStage): Promise<string> {
  const answer = await stage.sendWithKey('/v1/domains');
  if (answer.status === 403) throw new Skipped('the account’s plan includes no custom domains');
  const { domains } = expectJson(expectStatus(answer, 200), Domains).data;
  const served = domains.find(({ status }) => status === 'ssl_active');
  if (served === undefined)
    throw new Skipped('no custom domain of the account is ssl_active; add one and set its records');
  return served.id;
}

const customDomain: Check = {
  name: 'custom-domain',
  why: 'Sites at customers’ domains do not open, show old files, or show the API.',
  needs: 'key',
  async run(stage) {
    const { projectId, url } = await stage.publish(siteFiles, {
      domainId: await servedDomain(stage),
    });
    await stage.eventually(async () => expectStatus(await stage.send(`${url}/`), 200));
    for (let visit = 0; visit < 2; visit += 1) {
      const { headers } = expectStatus(await stage.send(`${url}/style.css`), 200);
      const isKept = String(headers['x-cache']).startsWith('Hit');
      expectThat(!isKept, 'the edge keeps a file that it is never told to forget');
    }
    // A firewall knows sites by what they are not: the app.
    expectStatus(await stage.send(`${url}/?q=%3Cscript%3Ealert(1)%3C/script%3E`), 200);
    // CloudFront refuses a POST to a site with 403. A 401 would be the API's answer, so the request went to the
    // wrong origin.
    expectStatus(await stage.send(`${url}/v1/user`, { method: 'POST' }), 403);
    const missing = expectStatus(await stage.send(url.replace('://', '://nobody-')), 404);
    expectText(missing, 'There is nothing at this address');
    // Its slug may be taken beneath the sites domain.
    const slug = `smoke-${randomUUID().slice(0, 8)}`;
    const back = jsonBody({ domainId: null, slug }, 'PATCH');
    expectStatus(await stage.sendWithKey(`/v1/projects/${projectId}`, back), 200);
    await stage.eventually(async () => expectStatus(await stage.send(`${url}/`), 404));
  },
};

/** Custom domains, where the key's account has one. */
const domainChecks: readonly Check[] = [customDomain];

const largeFile: Check = {
  name: 'large-file',
  why: 'Large files are not shown, or storage sends them to everybody.',
  needs: 'key',
  async run(stage) {
    const site = await stage.largeSite();
    const redirect = expectStatus(await stage.send(`${site}/film.mp4`), 302);
    expectHeader(redirect, 'cache-control', /no-store/);
    const location = expectHeader(redirect, 'location', /^\/_slipway\/files\/[0-9a-f/-]{70,}\//);
    const address = new URL(location, site).href;
    const whole = expectStatus(await stage.send(address), 200);
    const { length } = whole.body;
    expectThat(length === largeBytes, `the address sends ${length} of ${largeBytes} bytes`);
    await stage.eventually(async () => {
      const again = expectStatus(await stage.send(address), 200);
      expectHeader(again, 'x-cache', /^RefreshHit from cloudfront$/i);
    });
    const head = expectStatus(await stage.send(address, { method: 'HEAD' }), 200);
    expectThat(head.body.length === 0, 'HEAD of a large file has a body');
    const headers = { 'if-none-match': expectHeader(whole, 'etag', /^"/) };
    expectStatus(await stage.send(address, { headers }), 304);
    const part = expectStatus(
      await stage.send(address, { headers: { range: 'bytes=10-19' } }),
      206,
    );
    expectHeader(part, 'content-range', new RegExp(`^bytes 10-19/${largeBytes}$`));
    expectThat(part.body.length === 10, `a range of 10 bytes has ${part.body.length}`);
    const other = await stage.send(address.replace(/[0-9a-f]{32}/, '0'.repeat(32)));
    expectHeader(expectStatus(other, 302), 'location', /^\/film\.mp4$/);
  },
};

const zipDownload: Check = {
  name: 'zip-download',
  why: 'Visitors cannot download a bundle, or get a damaged archive.',
  needs: 'key',
  async run(stage) {
    const files = { 'one.txt': 'one', 'two.txt': 'two' };
    const { url } = await stage.publish(files, { asFileBundle: 'true' });
    const { body, headers } = expectStatus(await stage.send(`${url}/_slipway/zip`), 200);
    const isZip = body.subarray(0, 4).equals(Buffer.from('PK\u0003\u0004'));
    // The end record of an archive without a comment is its last 22 bytes.
    const hasEnd = body.subarray(-22, -18).equals(Buffer.from('PK\u0005\u0006'));
    const type = String(headers['content-type']);
    expectThat(
      isZip && hasEnd,
      `/_slipway/zip sends ${body.length} bytes of ${type}, no whole ZIP`,
    );
    const head = expectStatus(await stage.send(`${url}/_slipway/zip`, { method: 'HEAD' }), 200);
    expectThat(head.body.length === 0, 'HEAD of /_slipway/zip has a body');
  },
};

/** Files that do not fit into a response of a function. */
const fileChecks: readonly Check[] = [largeFile, zipDownload];

/** All checks, in the order in which they run: those that need no key first. */
export const checks: readonly Check[] = [
  ...pageChecks,
  ...tlsChecks,
  ...apiChecks,
  ...agentChecks,
  ...accessChecks,
  ...changeChecks,
  ...domainChecks,
  ...uploadChecks,
  ...fileChecks,
];

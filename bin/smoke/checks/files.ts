import * as z from 'zod';
import type { Check } from '../check.ts';
import { expectHeader, expectStatus, expectThat } from '../expectations.ts';
import { largeBytes, type SmokeStage } from '../smoke-stage.ts';

/** Follows the redirect of a large file. */
async function largeFileAddress(stage: SmokeStage, site: string): Promise<string> {
  const redirect = expectStatus(await stage.send(`${site}/film.mp4`), 302);
  expectHeader(redirect, 'cache-control', /no-store/);
  return new URL(expectHeader(redirect, 'location', /^\/_slipway\/(?:files|media)\//), site).href;
}

const largeFile: Check = {
  name: 'large-file',
  box: 'A file over 4 MB is redirected to an address below `/_slipway/files/`',
  why: 'Large files are not shown.',
  needs: 'key',
  fallback: { setting: 'largeFileStreams', value: false },
  async run(stage) {
    const site = await stage.largeSite();
    const address = await largeFileAddress(stage, site);
    const whole = expectStatus(await stage.send(address), 200);
    const { length } = whole.body;
    expectThat(length === largeBytes, `the address sends ${length} of ${largeBytes} bytes`);
    if (address.includes('/_slipway/media/')) return signedLink(stage, site, address);
    const head = expectStatus(await stage.send(address, { method: 'HEAD' }), 200);
    expectThat(head.body.length === 0, 'HEAD of a large file has a body');
    const headers = { 'if-none-match': expectHeader(whole, 'etag', /^"/) };
    expectStatus(await stage.send(address, { headers }), 304);
    return undefined;
  },
};

/** With `largeFileStreams: false` a link works for seconds, and only with its signature. */
async function signedLink(stage: SmokeStage, site: string, link: string): Promise<string> {
  expectStatus(await stage.send(link.replace(/\?.*/, '')), 403);
  await pastExpiry(link);
  expectStatus(await stage.send(link), 403);
  // An edge that keeps the redirect would lead visitors to this link.
  expectStatus(await stage.send(await largeFileAddress(stage, site)), 200);
  return 'large files are sent by signed links (largeFileStreams: false)';
}

const Policy = z.object({
  Statement: z.tuple([
    z.object({
      Condition: z.object({ DateLessThan: z.object({ 'AWS:EpochTime': z.int() }) }),
    }),
  ]),
});

/** When a signed link expires, in seconds since 1970. It has a canned policy, or with `any-prefix` a custom one. */
function expiryOf(link: string): number {
  const query = new URL(link).searchParams;
  const policy = query.get('Policy');
  if (policy === null) return Number(query.get('Expires'));
  // CloudFront replaces the three characters of Base64 that a query cannot hold.
  const base64 = policy.replaceAll('-', '+').replaceAll('_', '=').replaceAll('~', '/');
  const { Statement } = Policy.parse(JSON.parse(Buffer.from(base64, 'base64').toString()));
  return Statement[0].Condition.DateLessThan['AWS:EpochTime'];
}

async function pastExpiry(link: string): Promise<void> {
  const leftMs = expiryOf(link) * 1000 - Date.now() + 1500;
  expectThat(leftMs < 60_000, `the link of a large file is valid for ${leftMs / 1000} s`);
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, leftMs)));
}

const videoRange: Check = {
  name: 'video-range',
  box: 'CloudFront forwards a 206 that is shorter than requested',
  why: 'Videos over 4 MB do not play.',
  needs: 'key',
  fallback: { setting: 'mediaPieces', value: false },
  async run(stage) {
    const headers = { range: 'bytes=0-', 'sec-fetch-dest': 'video' };
    const part = await stage.send(`${await stage.largeSite()}/film.mp4`, { headers });
    // With `mediaPieces: false` a video is sent as other large files are.
    if (part.status === 302) return 'videos are sent whole (mediaPieces: false)';
    const range = expectHeader(expectStatus(part, 206), 'content-range', /^bytes 0-\d+\/\d+$/);
    const last = Number(/-(\d+)\//.exec(range)?.[1]);
    expectThat(
      part.body.length === last + 1,
      `the range ${range} has ${part.body.length} bytes, not ${last + 1}`,
    );
    expectThat(range.endsWith(`/${largeBytes}`), `the range is ${range}, not of ${largeBytes}`);
    return undefined;
  },
};

const zipDownload: Check = {
  name: 'zip-download',
  box: '`/_slipway/zip` of a small bundle arrives complete',
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
export const fileChecks: readonly Check[] = [largeFile, videoRange, zipDownload];

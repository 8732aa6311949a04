import type { Check } from '../check.ts';
import { expectHeader, expectStatus, expectThat } from '../expectations.ts';
import { largeBytes } from '../smoke-stage.ts';

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
export const fileChecks: readonly Check[] = [largeFile, zipDownload];

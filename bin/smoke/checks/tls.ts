import { once } from 'node:events';
import tls, { type SecureVersion } from 'node:tls';
import type { Check } from '../check.ts';
import { expectThat } from '../expectations.ts';

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

export const tlsChecks: readonly Check[] = [tlsVersions];

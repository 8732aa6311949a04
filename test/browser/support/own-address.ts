import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { pipeline } from 'node:stream';
import { somebody, baseUrl, isLocal } from '../../fixtures/clouds/client.ts';

/** A way to the shared local cloud on which all requests come from one address that nobody else has. */
export interface OwnAddress {
  /** Arguments that let Chromium use it. */
  chromiumArgs: string[];
  /** What connects from now on has another address, with no limit used; each context of Chromium connects anew. */
  change: () => void;
  close(): void;
}

/**
 * Limits are counted by address, and all test files would share that of this computer: ten mails with
 * codes in an hour would be all that they get together.
 */
export async function ownAddress(): Promise<OwnAddress> {
  if (!isLocal) return { chromiumArgs: [], change: () => undefined, close: () => undefined };
  const port = Number(new URL(baseUrl).port);
  let localAddress = somebody();
  const relay = createServer({ allowHalfOpen: true }, (browser) => {
    const cloud = connect({ host: '127.0.0.1', port, localAddress, allowHalfOpen: true });
    const ended = () => undefined;
    pipeline(browser, cloud, ended);
    pipeline(cloud, browser, ended);
  });
  relay.listen(0, '127.0.0.1').unref();
  await once(relay, 'listening');
  const { port: relayPort } = relay.address() as AddressInfo;
  const names = ['localhost', '*.localhost'];
  const rules = names.map((name) => `MAP ${name}:${port} 127.0.0.1:${relayPort}`);
  return {
    chromiumArgs: [`--host-resolver-rules=${rules.join(', ')}`],
    change: () => void (localAddress = somebody()),
    close: () => void relay.close(),
  };
}

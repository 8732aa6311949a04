import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy that adds a key to whatever comes, for clients that cannot send one. */
export interface KeyProxy {
  url: string;
  close(): Promise<void>;
}

/**
 * Starts one on 127.0.0.1 in front of `target`. Its own host becomes the target's; any other Host
 * goes on as it was sent, as do all other headers.
 */
export async function keyProxy(target: string, apiKey: string): Promise<KeyProxy> {
  const upstream = new URL(target);
  const server = http.createServer((request, response) => {
    const own = request.headers.host === `127.0.0.1:${port}`;
    const onward = http.request(
      {
        host: '127.0.0.1',
        port: upstream.port,
        method: request.method,
        path: request.url,
        headers: {
          ...request.headers,
          authorization: `Bearer ${apiKey}`,
          ...(own ? { host: upstream.host } : {}),
        },
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${upstream.pathname}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

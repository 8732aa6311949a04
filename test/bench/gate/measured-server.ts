import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import serveHandler from 'serve-handler';
import sirv from 'sirv';
import * as z from 'zod';

/** The address at which a server tells the processor time that it has used, in microseconds. */
const cpuPath = '/_cpu';

type Serve = (request: IncomingMessage, response: ServerResponse) => unknown;

const Result = z.object({
  statusCode: z.number(),
  headers: z.record(z.string(), z.string()),
  body: z.string().default(''),
  isBase64Encoded: z.boolean().default(false),
});

const servers: Record<string, (place: string, host: string) => Promise<Serve>> = {
  async gate(bundle, host) {
    const { handler } = await import(pathToFileURL(bundle).href);
    return async ({ url = '/', method = 'GET', headers }, response) => {
      const result = Result.parse(await handler(gateEvent(host, { url, method, headers })));
      const body = Buffer.from(result.body, result.isBase64Encoded ? 'base64' : 'utf8');
      response.writeHead(result.statusCode, { ...result.headers, 'content-length': body.length });
      response.end(result.statusCode === 304 ? undefined : body);
    };
  },
  async 'serve-handler'(folder) {
    return (request, response) => serveHandler(request, response, { public: folder, etag: true });
  },
  async sirv(folder) {
    return sirv(folder, { etag: true });
  },
};

let requests = 0;

/** The event of a Function URL behind our edge function. */
function gateEvent(
  host: string,
  { url, method, headers }: { url: string; method: string; headers: IncomingMessage['headers'] },
) {
  requests += 1;
  const requestId = `0b7e4c1a-5f60-4c39-9d0e-${String(requests).padStart(12, '0')}`;
  const own = {
    'x-slipway-host': host,
    'x-slipway-path': url,
    'x-slipway-query': '-',
    'x-slipway-domain': '-',
    'x-slipway-access': '-',
    'x-slipway-preview': '-',
    'x-slipway-cleared': '-',
    'x-slipway-viewer': '192.0.2.1',
    'x-slipway-wants': `${method},,,`,
    'x-slipway-fetch': url === '/' ? 'navigate,document,none,' : 'no-cors,script,same-origin,',
    'cloudfront-viewer-country': 'NO',
  };
  return {
    headers: { ...headers, ...own },
    rawPath: '/',
    requestContext: { requestId, http: { method } },
  };
}

const [name = '', place = '', host = ''] = process.argv.slice(2);
const serve = await servers[name]?.(place, host);
if (serve === undefined) throw new Error(`no server ${name}`);
const server = createServer((request, response) => {
  if (request.url !== cpuPath) return void serve(request, response);
  const { user, system } = process.cpuUsage();
  response.end(String(user + system));
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  console.log(`http://127.0.0.1:${port}`);
});

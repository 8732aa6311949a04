import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../time/clock.ts';

/** One call of a function to a service, with its whole body. */
export interface ServiceRequest {
  method: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

export interface ServiceAnswer {
  status: number;
  headers: Record<string, string>;
  body: Buffer | string;
}

export interface ServiceServer {
  /** `http://127.0.0.1:<port>` */
  url: string;
  close(): Promise<void>;
}

/** The largest request is one of DynamoDB: 16 MB. */
const MAX_BODY_BYTES = 16 * 1024 * 1024 + 65_536;

/** Listens to events: an async iterator takes four times as long for the short bodies of most calls. */
function readBody(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (bytes: Buffer) => {
      length += bytes.length;
      if (length <= MAX_BODY_BYTES) return chunks.push(bytes);
      chunks.length = 0;
      return reject(new Error('The request is too large.'));
    });
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('error', reject);
    request.once('close', () => reject(new Error('The request was not complete.')));
  });
}

function joinHeaders(request: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    headers[name] = Array.isArray(value) ? value.join(', ') : (value ?? '');
  }
  return headers;
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  { clock, handle }: Service,
): Promise<void> {
  const body = await readBody(request);
  const answer = await handle({
    method: request.method ?? 'GET',
    url: request.url ?? '/',
    headers: joinHeaders(request),
    body,
  });
  // The SDK corrects its clock by this header, and the clock of the callers may be moved.
  const date = clock.now().toUTCString();
  response.writeHead(answer.status, { ...answer.headers, date }).end(answer.body);
}

interface Service {
  clock: Pick<Clock, 'now'>;
  handle: (request: ServiceRequest) => Promise<ServiceAnswer>;
}

/** Listens on a free port of 127.0.0.1; a handler that throws answers 500 with its message. */
export async function startServiceServer(
  clock: Service['clock'],
  handle: Service['handle'],
): Promise<ServiceServer> {
  const server = createServer((request, response) => {
    serve(request, response, { clock, handle }).catch((error: unknown) => {
      if (response.headersSent) return response.destroy();
      response.writeHead(500, { 'content-type': 'text/plain' });
      return response.end(error instanceof Error ? error.message : String(error));
    });
  });
  // The SDK reuses connections; closing one while it sends would be an error there.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return { url: `http://127.0.0.1:${portOf(server.address())}`, close: () => closeServer(server) };
}

/** The port of a server's address. */
export function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string')
    throw new Error('The server is not listening.');
  return address.port;
}

/** Closes a server and all its connections. */
export async function closeServer(server: {
  close(done: () => void): unknown;
  closeAllConnections(): void;
}): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** Escapes text for the inside of an XML element. */
export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Reverses {@link escapeXml}. */
export function unescapeXml(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

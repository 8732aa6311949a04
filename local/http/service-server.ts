import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

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

/** DynamoDB, the largest caller of these servers, takes 16 MB at once. */
const MAX_BODY_BYTES = 16 * 1024 * 1024 + 65_536;

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    length += bytes.length;
    if (length > MAX_BODY_BYTES) throw new Error('The request is too large.');
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

function headersOf(request: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
  );
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  handle: (request: ServiceRequest) => Promise<ServiceAnswer>,
): Promise<void> {
  const body = await bodyOf(request);
  const answer = await handle({
    method: request.method ?? 'GET',
    url: request.url ?? '/',
    headers: headersOf(request),
    body,
  });
  // Functions may live at another time than this computer. Their SDK takes a `Date` for the true
  // time and sends a refused call again, as if its clock had been the reason.
  response.sendDate = false;
  const { date: _, ...headers } = answer.headers;
  response.writeHead(answer.status, headers).end(answer.body);
}

/** Listens on a free port of 127.0.0.1; a handler that throws answers 500 with its message. */
export async function startServiceServer(
  handle: (request: ServiceRequest) => Promise<ServiceAnswer>,
): Promise<ServiceServer> {
  const server = createServer((request, response) => {
    serve(request, response, handle).catch((error: unknown) => {
      if (response.headersSent) return response.destroy();
      response.writeHead(500, { 'content-type': 'text/plain' });
      return response.end(error instanceof Error ? error.message : String(error));
    });
  });
  // The SDK keeps connections open; one that we close while it sends is an error there.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return { url: `http://127.0.0.1:${portOf(server.address())}`, close: () => closed(server) };
}

/** The port of a TCP server's address. */
export function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string')
    throw new Error('The server does not listen.');
  return address.port;
}

/** Closes a server and every connection that it holds. */
export async function closed(server: {
  close(done: () => void): unknown;
  closeAllConnections(): void;
}): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

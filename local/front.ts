import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { hasCode } from './http/error-code.ts';
import type { HttpRequest, HttpResponse } from './http/http.ts';
import { closed, portOf } from './http/service-server.ts';
import { StartError } from './start-error.ts';

export interface FrontOptions {
  port: number;
  handle(request: HttpRequest): Promise<HttpResponse>;
  log(line: string): void;
  /** How long a request may take to arrive. */
  requestTimeoutMs?: number;
}

export interface Front {
  port: number;
  close(): Promise<void>;
}

/** The largest body that is kept: API Gateway's 10 MB. What is larger reaches nothing but its refusal. */
const MAX_BODY_BYTES = 10 * 1024 * 1024;

/**
 * Stands for every larger body. One byte too many is all that the parts behind need to answer 413
 * as the deployed ones do, and a hundred large uploads do not fill the memory.
 */
const TOO_LARGE = Buffer.alloc(MAX_BODY_BYTES + 1);

/** How long the rest of a refused body is read. */
const DRAIN_MS = 5000;

/** Refusals of the local front itself, in the envelope of every other error. */
const REFUSALS = {
  malformed: {
    error: 'This is not a well-formed HTTP request.',
    code: 'INVALID_REQUEST',
    nextStep: 'Correct the request and send it again.',
    details: [],
  },
  late: {
    error: 'The request did not arrive in time.',
    code: 'TIMEOUT',
    nextStep: 'Send the same request again.',
  },
  broken: {
    error: 'Something went wrong in the local cloud.',
    code: 'INTERNAL',
    nextStep: 'Look at what the local cloud prints, then send the request again.',
  },
} as const;

function envelope(refusal: keyof typeof REFUSALS, requestId?: string): Buffer {
  const body = { status: 'error', ...REFUSALS[refusal], ...(requestId && { requestId }) };
  return Buffer.from(JSON.stringify(body));
}

function isTooLarge({ headers }: IncomingMessage): boolean {
  return Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES;
}

/** The body, or undefined when the client went away before it was whole. */
function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    if (isTooLarge(request)) return resolve(TOO_LARGE);
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= MAX_BODY_BYTES) return chunks.push(chunk);
      chunks.length = 0;
      return resolve(TOO_LARGE);
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', () => resolve(undefined));
    request.on('close', () => resolve(undefined));
  });
}

/** Clients may send the whole address in the request line (RFC 9112, section 3.2.2). */
function targetOf(url: string): { path: string; query: string } {
  const target = url.startsWith('/') ? url : url.replace(/^[a-z]+:\/\/[^/?]*/i, '');
  const at = target.indexOf('?');
  const path = at < 0 ? target : target.slice(0, at);
  return {
    path: path.startsWith('/') ? path : `/${path}`,
    query: at < 0 ? '' : target.slice(at + 1),
  };
}

function requestOf(message: IncomingMessage, body: Buffer): HttpRequest {
  const headers = Object.entries(message.headers).map(([name, value]) => [
    name,
    [value ?? ''].flat().join(', '),
  ]);
  return {
    method: message.method ?? 'GET',
    ...targetOf(message.url ?? '/'),
    headers: Object.fromEntries(headers),
    body,
    viewer: {
      address: message.socket.remoteAddress ?? '127.0.0.1',
      port: message.socket.remotePort ?? 0,
    },
  };
}

async function send(response: ServerResponse, answer: HttpResponse): Promise<void> {
  response.writeHead(answer.status, answer.headers);
  if (Buffer.isBuffer(answer.body)) response.end(answer.body);
  else await pipeline(answer.body, response);
}

/** Reads what is left of a body that nobody wants, for a moment. */
async function drain(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return;
  let timer: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve) => {
    timer = setTimeout(resolve, DRAIN_MS);
    request.once('close', resolve).once('end', resolve).resume();
  });
  clearTimeout(timer);
}

/** Writes the whole answer at once and hangs up later: a client that still sends would only see a reset. */
async function refuseBody(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: HttpResponse,
): Promise<void> {
  const bytes = Buffer.isBuffer(body) ? body : await buffer(body);
  const length = { 'content-length': String(bytes.length), connection: 'close' };
  response.writeHead(status, { ...headers, ...length }).write(bytes);
  await drain(request);
  response.end();
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  options: FrontOptions,
): Promise<void> {
  const body = await bodyOf(request);
  if (body === undefined) return;
  const answer = await options.handle(requestOf(request, body));
  await (body === TOO_LARGE ? refuseBody(request, response, answer) : send(response, answer));
}

/** What a client gets whose bytes are no HTTP request, or do not arrive. */
function refuse(error: Error & { code?: string }, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
  const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const body = envelope(isLate ? 'late' : 'malformed');
  const status = isLate ? '408 Request Timeout' : '400 Bad Request';
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body.toString()}`,
  );
}

function failed(response: ServerResponse, error: unknown, options: FrontOptions): void {
  options.log(error instanceof Error ? (error.stack ?? error.message) : String(error));
  if (response.headersSent) return void response.destroy();
  response.writeHead(502, { 'content-type': 'application/json' });
  response.end(envelope('broken', randomUUID()));
}

async function listen(server: Server, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  }).catch((error: unknown) => {
    if (!hasCode(error, 'EADDRINUSE')) throw error;
    throw new StartError(`Port ${port} is in use. Choose another one with --port.`);
  });
}

/** The one listener of the local cloud, on 127.0.0.1 only: whole requests in, whole or streamed answers out. */
export async function startFront(options: FrontOptions): Promise<Front> {
  const server = createServer(
    {
      headersTimeout: Math.min(15_000, options.requestTimeoutMs ?? 15_000),
      requestTimeout: options.requestTimeoutMs ?? 60_000,
      connectionsCheckingInterval: 1000,
      maxHeaderSize: 32 * 1024,
    },
    (request, response) => {
      serve(request, response, options).catch((error: unknown) => failed(response, error, options));
    },
  );
  server.on('clientError', refuse);
  // A body that will be refused is not asked for.
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (!isTooLarge(request)) response.writeContinue();
    server.emit('request', request, response);
  });
  await listen(server, options.port);
  return { port: portOf(server.address()), close: () => closed(server) };
}

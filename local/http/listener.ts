import { randomUUID } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { isIPv6 } from 'node:net';
import type { Duplex } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { hasErrorCode, StartError } from '../errors.ts';
import type { HttpRequest, HttpResponse } from './http.ts';
import { withSafariCookies } from './safari-cookies.ts';
import { closeServer, portOf } from './service-server.ts';

export interface ListenerOptions {
  port: number;
  /** The address to listen on; 127.0.0.1 by default. */
  host?: string;
  /**
   * Another server's listener, for requests whose body is not read here and may have any length; undefined
   * leaves the request to `handle`.
   */
  otherServer?: (request: IncomingMessage) => RequestListener | undefined;
  handle(request: HttpRequest): Promise<HttpResponse>;
  log(line: string): void;
  /** Time limit for a request to arrive completely. */
  requestTimeoutMs?: number;
}

export interface Listener {
  port: number;
  close(): Promise<void>;
}

/**
 * A test's IPv6 address: a computer has 127.0.0.0/8 to send from, but a single local IPv6 address. No service
 * sees this header.
 */
const VIEWER_HEADER = 'x-local-viewer-address';

/** The largest body that is read: API Gateway's 10 MB. */
const MAX_BODY_BYTES = 10 * 1024 * 1024;

/**
 * Replaces every larger body. One byte too many makes the services behind answer 413 as the deployed
 * ones do, and a hundred large uploads do not fill the memory.
 */
const TOO_LARGE = Buffer.alloc(MAX_BODY_BYTES + 1);

/** How long the rest of a refused body is read and dropped. */
const DRAIN_MS = 5000;

/** Errors of the listener itself, in the envelope of every other error. */
const REFUSALS = {
  malformed: {
    error: 'This is not a well-formed HTTP request.',
    code: 'INVALID_REQUEST',
    nextStep: 'Correct the request and send it again.',
    details: [],
  },
  timeout: {
    error: 'The request did not arrive in time.',
    code: 'TIMEOUT',
    nextStep: 'Send the same request again.',
  },
  internal: {
    error: 'Something went wrong in the local cloud.',
    code: 'INTERNAL',
    nextStep: 'See the output of the local cloud, then send the request again.',
  },
} as const;

function envelope(refusal: keyof typeof REFUSALS, requestId?: string): Buffer {
  const body = { status: 'error', ...REFUSALS[refusal], ...(requestId && { requestId }) };
  return Buffer.from(JSON.stringify(body));
}

function isTooLarge({ headers }: IncomingMessage): boolean {
  return Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES;
}

/** The body; undefined if the client disconnected before the end. */
function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
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

/**
 * A request has one `Host`, and the host of an absolute URL in the request line replaces it (RFC 9112,
 * sections 3.2 and 3.2.2). False for a request that is to be answered with 400.
 */
function applyTarget(request: IncomingMessage): boolean {
  const names = request.rawHeaders.filter((_, index) => index % 2 === 0);
  if (names.filter((name) => name.toLowerCase() === 'host').length > 1) return false;
  const [, authority, rest = ''] = /^https?:\/\/([^/?#]*)(.*)$/i.exec(request.url ?? '') ?? [];
  if (authority === undefined) return true;
  if (authority === '' || authority.includes('@')) return false;
  request.headers.host = authority;
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  return true;
}

function parseTarget(target: string): { path: string; query: string } {
  const at = target.indexOf('?');
  const path = at < 0 ? target : target.slice(0, at);
  return {
    path: path.startsWith('/') ? path : `/${path}`,
    query: at < 0 ? '' : target.slice(at + 1),
  };
}

function toHttpRequest(message: IncomingMessage, body: Buffer): HttpRequest {
  const { [VIEWER_HEADER]: named, ...received } = message.headers;
  const headers = Object.entries(received).map(([name, value]) => [
    name,
    [value ?? ''].flat().join(', '),
  ]);
  return {
    method: message.method ?? 'GET',
    ...parseTarget(message.url ?? '/'),
    headers: Object.fromEntries(headers),
    body,
    viewer: {
      address:
        typeof named === 'string' && isIPv6(named)
          ? named
          : (message.socket.remoteAddress ?? '127.0.0.1'),
      port: message.socket.remotePort ?? 0,
    },
  };
}

async function sendResponse(response: ServerResponse, answer: HttpResponse): Promise<void> {
  response.writeHead(answer.status, answer.headers);
  if (Buffer.isBuffer(answer.body)) response.end(answer.body);
  else await pipeline(answer.body, response);
}

/** Reads and drops the rest of a refused body, for a limited time. */
async function drain(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return;
  let timer: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve) => {
    timer = setTimeout(resolve, DRAIN_MS);
    request.once('close', resolve).once('end', resolve).resume();
  });
  clearTimeout(timer);
}

/** Sends the response first and closes the connection later: a client that is still sending would only see a reset. */
async function sendRefusal(
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
  options: ListenerOptions,
): Promise<void> {
  const body = await readBody(request);
  if (body === undefined) return;
  const answer = await withSafariCookies(toHttpRequest(request, body), (named) =>
    options.handle(named),
  );
  await (body === TOO_LARGE
    ? sendRefusal(request, response, answer)
    : sendResponse(response, answer));
}

/** Answers a client whose HTTP request is malformed or incomplete. */
function refuseConnection(error: Error & { code?: string }, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
  const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const body = envelope(isLate ? 'timeout' : 'malformed');
  const status = isLate ? '408 Request Timeout' : '400 Bad Request';
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body.toString()}`,
  );
}

/** The rest of such a request may be meant for another host, so nothing more is read from its connection. */
function refuseTarget(response: ServerResponse): void {
  response.writeHead(400, { 'content-type': 'application/json', connection: 'close' });
  response.end(envelope('malformed'));
}

function sendFailure(response: ServerResponse, error: unknown, options: ListenerOptions): void {
  options.log(error instanceof Error ? (error.stack ?? error.message) : String(error));
  if (response.headersSent) return void response.destroy();
  response.writeHead(502, { 'content-type': 'application/json' });
  response.end(envelope('internal', randomUUID()));
}

async function listen(server: Server, port: number, host: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  }).catch((error: unknown) => {
    if (hasErrorCode(error, 'EADDRNOTAVAIL') || hasErrorCode(error, 'ENOTFOUND')) {
      throw new StartError(
        `${host} is not an address of this computer. Use --host 0.0.0.0 for all of them.`,
      );
    }
    if (!hasErrorCode(error, 'EADDRINUSE')) throw error;
    throw new StartError(`Port ${port} is in use. Choose another one with --port.`);
  });
}

/** Starts the HTTP listener of the local cloud. Request bodies are read completely; responses may be streams. */
export async function startListener(options: ListenerOptions): Promise<Listener> {
  const server = createServer(
    {
      headersTimeout: Math.min(15_000, options.requestTimeoutMs ?? 15_000),
      // A large file that is sent to S3 may take minutes.
      requestTimeout: options.requestTimeoutMs ?? 300_000,
      // The SDK reuses connections to S3 for less than this.
      keepAliveTimeout: 60_000,
      connectionsCheckingInterval: 1000,
      maxHeaderSize: 32 * 1024,
    },
    (request, response) => {
      if (!applyTarget(request)) return refuseTarget(response);
      const other = options.otherServer?.(request);
      if (other !== undefined) return other(request, response);
      serve(request, response, options).catch((error: unknown) =>
        sendFailure(response, error, options),
      );
    },
  );
  server.on('clientError', refuseConnection);
  // A client does not need to send a body that will be refused. The SDK waits up to six seconds for `100 Continue`.
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (!applyTarget(request)) return refuseTarget(response);
    if (options.otherServer?.(request) !== undefined || !isTooLarge(request))
      response.writeContinue();
    server.emit('request', request, response);
  });
  await listen(server, options.port, options.host ?? '127.0.0.1');
  return { port: portOf(server.address()), close: () => closeServer(server) };
}

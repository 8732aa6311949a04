import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  request as httpRequest,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';

/** How long a request may take to connect, to go without a byte, and in all, in milliseconds. */
export interface Patience {
  connectMs: number;
  silenceMs: number;
  totalMs: number;
}

export interface HttpRequest {
  url: URL;
  method: string;
  headers: Record<string, string>;
  body: string;
  /** Of a success; more is a failure. */
  maxBytes: number;
}

/** An answer read whole; of a refusal at most the first {@link maxRefusalBytes}. */
export interface HttpAnswer {
  status: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

/** What an error answer of AWS needs, many times over. */
export const maxRefusalBytes = 64 * 1024;

/** Connections that stay open for the next request; `close` ends them. */
export interface Connections {
  exchange(request: HttpRequest, patience: Patience): Promise<HttpAnswer>;
  /** Ends those that no request uses: where one has died while nobody looked, the others have too. */
  closeIdle(): void;
  close(): void;
}

/** Sends requests over connections that are kept alive; `lookup` finds the hosts' addresses. */
export function connections(options: { lookup?: LookupFunction } = {}): Connections {
  const http = new HttpAgent({ keepAlive: true, ...options });
  const https = new HttpsAgent({ keepAlive: true, ...options });
  return {
    exchange: (request, patience) => exchange({ http, https }, request, patience),
    closeIdle() {
      for (const sockets of [http, https].flatMap((agent) => Object.values(agent.freeSockets))) {
        for (const socket of sockets ?? []) socket.destroy();
      }
    },
    close() {
      http.destroy();
      https.destroy();
    },
  };
}

interface Agents {
  http: HttpAgent;
  https: HttpsAgent;
}

async function exchange(
  agents: Agents,
  request: HttpRequest,
  patience: Patience,
): Promise<HttpAnswer> {
  const { url, method, headers, body } = request;
  const outgoing =
    url.protocol === 'http:'
      ? httpRequest(url, { method, headers, agent: agents.http })
      : httpsRequest(url, { method, headers, agent: agents.https });
  const endPatience = limitPatience(outgoing, patience);
  try {
    return await new Promise((resolve, reject) => {
      outgoing.on('error', reject);
      outgoing.on('response', (incoming) => {
        receive(incoming, request.maxBytes).then(resolve, reject);
      });
      outgoing.end(body);
    });
  } finally {
    endPatience();
  }
}

/** Ends a request that takes too long, with an error that says what took so long. */
function limitPatience(outgoing: ClientRequest, patience: Patience): () => void {
  const giveUp = (what: string, ms: number) => () =>
    outgoing.destroy(new Error(`${what} within ${ms} ms`));
  const whole = setTimeout(giveUp('no whole answer', patience.totalMs), patience.totalMs);
  outgoing.setTimeout(patience.silenceMs, giveUp('no byte', patience.silenceMs));
  let connecting: NodeJS.Timeout | undefined;
  outgoing.on('socket', (socket) => {
    if (!socket.connecting) return;
    const unconnected = giveUp('no connection', patience.connectMs);
    connecting = setTimeout(unconnected, patience.connectMs);
    socket.once('connect', () => clearTimeout(connecting));
  });
  return () => {
    clearTimeout(whole);
    clearTimeout(connecting);
  };
}

async function receive(incoming: IncomingMessage, maxBytes: number): Promise<HttpAnswer> {
  const status = incoming.statusCode ?? 0;
  const isRefusal = status >= 300;
  const { 'content-length': length, 'transfer-encoding': coding } = incoming.headers;
  // Without either, the end of the connection ends the answer: one that was cut off looks whole.
  if (length === undefined && coding === undefined) {
    incoming.destroy();
    throw new Error('the answer does not say how long it is');
  }
  const limit = isRefusal ? maxRefusalBytes : maxBytes;
  const chunks: Buffer[] = [];
  let held = 0;
  for await (const chunk of incoming) {
    chunks.push(chunk);
    held += chunk.length;
    // Leaving the loop ends the connection: the rest is not read.
    if (held > limit) break;
  }
  if (held > limit && !isRefusal) throw new Error(`the answer is larger than ${limit} bytes`);
  return { status, headers: incoming.headers, body: Buffer.concat(chunks).subarray(0, limit) };
}

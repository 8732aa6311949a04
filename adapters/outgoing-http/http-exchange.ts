import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  request as httpRequest,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';

/** Limits for connecting, for the time without data, and for the whole request, in milliseconds. */
export interface Timeouts {
  connectMs: number;
  silenceMs: number;
  totalMs: number;
}

export interface HttpRequest {
  url: URL;
  method: string;
  /** In lowercase; a body needs its `content-length`. `host` is added where it is missing. */
  headers: Record<string, string>;
  body: string | Uint8Array;
  /** The limit for a successful response; a larger one is an error, unless it is cut. */
  maxBytes: number;
  /** Whether the beginning of a response is enough: any response is cut at `maxBytes`, also one of unknown length. */
  isCut?: boolean;
}

/** A complete response. The body of an error response is cut at {@link maxErrorBytes}. */
export interface HttpResponse {
  status: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

/** Far more than an error response of AWS needs. */
export const maxErrorBytes = 64 * 1024;

/** Connections that stay open for the next request; `close` ends them. */
export interface Connections {
  exchange(request: HttpRequest, timeouts: Timeouts): Promise<HttpResponse>;
  /**
   * Closes idle connections. If the other side has closed one of them unnoticed, it has probably
   * closed all.
   */
  closeIdle(): void;
  close(): void;
}

/** Sends requests over keep-alive connections; `lookup` resolves the hosts. */
export function connections(options: { lookup?: LookupFunction } = {}): Connections {
  const http = new HttpAgent({ keepAlive: true, ...options });
  const https = new HttpsAgent({ keepAlive: true, ...options });
  return {
    exchange: (request, timeouts) => exchange({ http, https }, request, timeouts),
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
  timeouts: Timeouts,
): Promise<HttpResponse> {
  const { url, method, body } = request;
  const options = {
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port,
    path: url.pathname + url.search,
    method,
    headers: fieldsOf(request),
  };
  const outgoing =
    url.protocol === 'http:'
      ? httpRequest({ ...options, agent: agents.http })
      : httpsRequest({ ...options, agent: agents.https });
  const endPatience = enforceTimeouts(outgoing, timeouts);
  try {
    return await new Promise((resolve, reject) => {
      outgoing.on('error', reject);
      // After `101 Switching Protocols` there is neither a response nor an error, also not by a timeout.
      outgoing.on('upgrade', (_, socket) => {
        socket.destroy();
        reject(new Error('the answer changes the protocol, which was not proposed'));
      });
      outgoing.on('response', (incoming) => {
        outgoing.off('close', endedEarly);
        readResponse(incoming, request).then(resolve, reject);
      });
      const endedEarly = () => reject(new Error('the connection ended before an answer'));
      outgoing.on('close', endedEarly);
      outgoing.end(body);
    });
  } finally {
    endPatience();
  }
}

/**
 * Names and values alternately. Node writes such a list directly, but copies each header of an
 * object first. It adds no `Host` to a list.
 */
function fieldsOf({ url, headers }: HttpRequest): string[] {
  return Object.entries({ host: url.host, ...headers }).flat();
}

/** Ends a request that takes too long, with an error that names the exceeded limit. */
function enforceTimeouts(outgoing: ClientRequest, timeouts: Timeouts): () => void {
  const giveUp = (what: string, ms: number) => () =>
    outgoing.destroy(Object.assign(new Error(`${what} within ${ms} ms`), { code: 'ETIMEDOUT' }));
  const whole = setTimeout(giveUp('no whole answer', timeouts.totalMs), timeouts.totalMs);
  outgoing.setTimeout(timeouts.silenceMs, giveUp('no byte', timeouts.silenceMs));
  let connecting: NodeJS.Timeout | undefined;
  outgoing.on('socket', (socket) => {
    if (!socket.connecting) return;
    const unconnected = giveUp('no connection', timeouts.connectMs);
    connecting = setTimeout(unconnected, timeouts.connectMs);
    socket.once('connect', () => clearTimeout(connecting));
  });
  return () => {
    clearTimeout(whole);
    clearTimeout(connecting);
  };
}

/** Listens for the body itself: an iterator over the stream takes several times as long. */
function readResponse(
  incoming: IncomingMessage,
  { maxBytes, isCut = false }: Pick<HttpRequest, 'maxBytes' | 'isCut'>,
): Promise<HttpResponse> {
  const { statusCode: status = 0, headers } = incoming;
  const isRefusal = status >= 300;
  const limit = isRefusal && !isCut ? maxErrorBytes : maxBytes;
  const chunks: Buffer[] = [];
  let receivedBytes = 0;
  return new Promise((resolve, reject) => {
    const finish = () => {
      const body = Buffer.concat(chunks, Math.min(receivedBytes, limit));
      resolve({ status, headers, body });
    };
    const fail = (message: string) => {
      reject(new Error(message));
      incoming.destroy();
    };
    incoming.on('error', reject);
    // Without either header, the response ends with the connection, and a truncated one would look
    // complete.
    const isEndless =
      headers['content-length'] === undefined && headers['transfer-encoding'] === undefined;
    if (isEndless && !isCut) return fail('the answer does not say how long it is');
    incoming.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      receivedBytes += chunk.length;
      if (receivedBytes <= limit) return;
      if (!isRefusal && !isCut) return fail(`the answer is larger than ${limit} bytes`);
      finish();
      incoming.destroy();
    });
    incoming.on('end', finish);
  });
}

import { Readable } from 'node:stream';
import * as z from 'zod';
import type { HttpResponse } from '../http/http.ts';

const octetStream = 'application/octet-stream';
const integrationType = 'application/vnd.awslambda.http-integration-response';
const delimiter = Buffer.alloc(8);
/** Limit for the head of a stream, which is collected in memory. */
const maxHeadBytes = 64 * 1024;

/** `content-length` is rejected: how a Function URL treats it for a stream is not documented. */
const Head = z.strictObject({
  statusCode: z.int().min(100).max(599),
  headers: z
    .record(z.string().toLowerCase(), z.string())
    .refine((headers) => !('content-length' in headers), 'must not have content-length')
    .default({}),
  cookies: z.array(z.string()).default([]),
});

/**
 * The HTTP response for a streamed result: status and headers are JSON before eight zero bytes, the rest
 * is the body. `undefined` if that head is missing or invalid.
 */
export async function streamedAnswer(streamed: {
  contentType: string;
  body: Readable;
}): Promise<HttpResponse | undefined> {
  const { contentType, body } = streamed;
  if (contentType !== integrationType) {
    return { status: 200, headers: { 'content-type': contentType }, body };
  }
  const chunks: AsyncIterator<Buffer> = body[Symbol.asyncIterator]();
  const { head, rest } = await readHead(chunks);
  const parsed = Head.safeParse(head);
  if (!parsed.success) {
    body.destroy();
    return undefined;
  }
  const { statusCode: status, cookies } = parsed.data;
  const headers = Object.fromEntries(
    Object.entries(parsed.data.headers).flatMap(([name, value]) => {
      const outgoing = outgoingHeaderName(name);
      return outgoing === undefined ? [] : [[outgoing, value]];
    }),
  );
  const setCookie = cookies.length > 0 && { 'set-cookie': cookies };
  return {
    status,
    headers: { 'content-type': octetStream, ...headers, ...setCookie },
    body: withRest(body, concatenate(rest, chunks)),
  };
}

/** Reads up to the delimiter; `rest` is what was read after it. */
async function readHead(chunks: AsyncIterator<Buffer>): Promise<{ head: unknown; rest: Buffer }> {
  let read = Buffer.alloc(0);
  try {
    for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) {
      read = Buffer.concat([read, next.value]);
      const end = read.indexOf(delimiter);
      if (end >= 0) {
        const head: unknown = JSON.parse(read.subarray(0, end).toString());
        return { head, rest: read.subarray(end + delimiter.length) };
      }
      if (read.length > maxHeadBytes) break;
    }
  } catch {
    // The function failed before its head was complete, or the head is not JSON.
  }
  return { head: undefined, rest: read };
}

/** The body without its head. Destroying it destroys the whole stream, also before the first read. */
function withRest(body: Readable, rest: AsyncIterable<Buffer>): Readable {
  return Readable.from(rest, { objectMode: false }).once('close', () => body.destroy());
}

async function* concatenate(first: Buffer, chunks: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  if (first.length > 0) yield first;
  for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) {
    yield next.value;
  }
}

/**
 * Response headers that a function cannot set, because the service in front sends its own: it
 * renames them (API Gateway, "Important notes for REST APIs"). Function URLs do the same; for
 * `www-authenticate` and `content-length` many have seen it.
 */
const remapped = new Set([
  'authorization',
  'connection',
  'content-length',
  'content-md5',
  'date',
  'expect',
  'host',
  'max-forwards',
  'proxy-authenticate',
  'server',
  'trailer',
  'upgrade',
  'user-agent',
  'www-authenticate',
]);

/** The name under which a function's header arrives, in lower case; undefined if it is dropped. */
export function outgoingHeaderName(name: string): string | undefined {
  const lower = name.toLowerCase();
  if (lower === 'transfer-encoding') return undefined;
  return remapped.has(lower) ? `x-amzn-remapped-${lower}` : lower;
}

import { Readable } from 'node:stream';
import * as z from 'zod';
import type { HttpResponse } from '../http/http.ts';

const octetStream = 'application/octet-stream';
const integrationType = 'application/vnd.awslambda.http-integration-response';
const delimiter = Buffer.alloc(8);
/** Far more than any head of ours; one without an end must not be collected for ever. */
const maxHeadBytes = 64 * 1024;

/**
 * The length of a stream is not known when it starts, and what a Function URL makes of a length that
 * a function states is not documented: nobody may state one.
 */
const Head = z.strictObject({
  statusCode: z.int().min(100).max(599),
  headers: z
    .record(z.string().toLowerCase(), z.string())
    .refine((headers) => !('content-length' in headers), 'states a length')
    .default({}),
  cookies: z.array(z.string()).default([]),
});

/**
 * What a function streamed as an HTTP answer: status and headers are JSON before eight zero bytes,
 * the rest is the body. `undefined` where that head is missing or no such thing.
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
  const { statusCode: status, headers, cookies } = parsed.data;
  const setCookie = cookies.length > 0 && { 'set-cookie': cookies };
  return {
    status,
    headers: { 'content-type': octetStream, ...headers, ...setCookie },
    body: withRest(body, joined(rest, chunks)),
  };
}

/** Reads as far as the delimiter; `rest` is what came with it. */
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
    // The function failed before its head was whole, or the head is no JSON.
  }
  return { head: undefined, rest: read };
}

/** The body without its head. Whoever drops it before the first read drops all of it. */
function withRest(body: Readable, rest: AsyncIterable<Buffer>): Readable {
  return Readable.from(rest, { objectMode: false }).once('close', () => body.destroy());
}

async function* joined(first: Buffer, chunks: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  if (first.length > 0) yield first;
  for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) {
    yield next.value;
  }
}

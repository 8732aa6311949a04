import { pipeline } from 'node:stream/promises';
import type { StreamifyHandler } from 'aws-lambda';
import { commonHeaders } from '../../contract/common-headers.ts';
import { plainText } from '../../core/content/media-type.ts';
import { beginAtOnce } from '../../core/limits/address-limits.ts';
import type { Counters } from '../../core/limits/counters.ts';
import type { ServingRecord } from '../../core/visit/serving-record.ts';
import type { VisitResponse } from './response-parts.ts';

/** A page, or bytes that are sent while they are read. */
export interface StreamedResponse extends Pick<VisitResponse, 'status' | 'headers' | 'text'> {
  bytes?: AsyncGenerator<Uint8Array>;
  /** The site that the bytes are of. */
  site?: Pick<ServingRecord, 'ownerId' | 'projectId'>;
}

/** The response stream of Lambda's runtime, whose global `awslambda` wraps it. */
type ResponseStream = Parameters<StreamifyHandler>[1];

/** Options of a function that streams. */
export interface SendingOptions {
  onSent?: (bytes: number) => void;
  /** When Lambda ends the function, even if it still has something to record. */
  remainingMs?: number;
}

/** A download ends this long before the function does. */
const reserveMs = 10_000;

/** A slower download than 32 kB/s is ended, because it keeps a function busy that others need. */
const lowestSpeed = { bytes: 640 * 1024, inSeconds: 20 };

/**
 * Sends a response; `false` if the reader was too slow and got only a part. Lambda sends no headers
 * before the first byte of a body, and may hang without one
 * (aws-lambda-nodejs-runtime-interface-client, issue 95): so an empty body is sent as a line break,
 * which a response to a HEAD does not include.
 */
export async function streamResponse(
  stream: ResponseStream,
  { method }: { method: string },
  { status, headers, text, bytes }: Omit<StreamedResponse, 'site'>,
  { onSent, remainingMs }: SendingOptions = {},
): Promise<boolean> {
  const head = {
    statusCode: status,
    headers: { ...commonHeaders, 'content-type': plainText, ...headers },
  };
  const out = awslambda.HttpResponseStream.from(stream, head);
  const page = method === 'HEAD' ? '\n' : (text ?? '\n');
  const tooSlow = new AbortController();
  let readBytes = 0;
  const watch = setInterval(() => {
    if (readBytes < lowestSpeed.bytes) tooSlow.abort();
    readBytes = 0;
  }, lowestSpeed.inSeconds * 1000);
  const end =
    remainingMs === undefined
      ? undefined
      : setTimeout(() => tooSlow.abort(), Math.max(0, remainingMs - reserveMs));
  const onRead = (count: number) => {
    readBytes += count;
    onSent?.(count);
  };
  try {
    const source = bytes === undefined ? [Buffer.from(page)] : counted(bytes, onRead);
    await pipeline(source, out, { signal: tooSlow.signal });
    return true;
  } catch (error) {
    if (!tooSlow.signal.aborted) throw error;
    return false;
  } finally {
    clearInterval(watch);
    clearTimeout(end);
  }
}

/**
 * Bytes are counted in small parts: storage is read in megabytes, and a slow reader takes minutes
 * for each.
 */
const countedBytes = 64 * 1024;

/** The same bytes in small parts; `onSent` gets the length of each part that was read. */
export async function* counted(
  bytes: AsyncGenerator<Uint8Array>,
  onSent: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const piece of bytes) {
    for (let at = 0; at < piece.length; at += countedBytes) {
      const part = piece.subarray(at, at + countedBytes);
      onSent(part.length);
      yield part;
    }
  }
}

/** Streams of one caller count together, for all projects: each keeps a function busy for up to five minutes. */
const streams = { name: 'streaming', maxSeconds: 300 };

/**
 * Reserves a place for one more stream of a caller, and returns a function that releases it; `undefined` if `limit`
 * are running. The caller's network may have a multiple of it (decision 0136).
 */
export function takeStreamPlace(
  counters: Pick<Counters, 'count'>,
  address: string,
  limit: number,
  now: Date,
): Promise<(() => Promise<void>) | undefined> {
  return beginAtOnce(counters, address, { ...streams, limit }, now);
}

/** The same bytes; `end` is called when all were read, or when the reader stops. */
export async function* untilRead(
  bytes: AsyncGenerator<Uint8Array>,
  end: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes;
  } finally {
    await end();
  }
}

/**
 * The same bytes, with the first part read already: if that fails, the response can still be an
 * error page.
 */
export async function withFirstRead(
  bytes: AsyncGenerator<Uint8Array>,
): Promise<AsyncGenerator<Uint8Array>> {
  const first = await bytes.next();
  return (async function* () {
    try {
      if (first.done !== true) yield first.value;
      yield* bytes;
    } finally {
      // Also releases the source if the reader stops at the first bytes.
      await bytes.return(undefined);
    }
  })();
}

import { once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Clock } from '../time/clock.ts';
import type { HttpResponse } from '../http/http.ts';
import { assertBucketName, type Bucket, openBucket } from './bucket.ts';
import { BucketConfig, type LifecycleRule } from './bucket-config.ts';
import { type ObjectRead, readObject } from './objects/get-object.ts';
import { answerRequest, errorResponse } from './protocol/request-handler.ts';
import type { S3Call } from './protocol/route-context.ts';
import { S3Error } from './protocol/s3-error.ts';
import type { SecretLookup } from '../signatures/verify-signature.ts';
import { isDeleteMarker, type StoredVersion } from './versions/stored-version.ts';

export type { S3Call } from './protocol/route-context.ts';

const SWEEP_MS = 60_000;
/** Longer than the SDK keeps an idle connection, so that it never sends into a closing one. */
const KEEP_ALIVE_MS = 60_000;

/** Options of the local S3. */
export interface S3Options {
  dataDir: string;
  clock: Clock;
  /** A free port by default. */
  port?: number;
  secretFor: SecretLookup;
  authorize: (call: S3Call) => boolean;
  /** Called for every permitted call. */
  onCall?: (call: S3Call) => void;
}

/** A running local S3. */
export interface S3Server {
  url: string;
  /** Answers a request that another server of this process received. */
  handle(incoming: IncomingMessage, outgoing: ServerResponse): void;
  /** Creates a bucket, or replaces the configuration of an existing one. */
  createBucket(name: string, config?: BucketConfig): Promise<void>;
  /** Reads without a signature, for trusted callers in this process; errors are S3's error documents. */
  read(request: ObjectRead & { bucket: string }): Promise<HttpResponse>;
  /** The keys of all current objects, by bucket. */
  keys(): Record<string, string[]>;
  /** Applies the lifecycle rules now; also runs once a minute. */
  sweep(): Promise<void>;
  /** Closes all connections; every acknowledged write is on disk. */
  close(): Promise<void>;
}

/** Starts an S3 server on 127.0.0.1 with the data in its directory. */
export async function startS3(options: S3Options): Promise<S3Server> {
  const { clock, dataDir } = options;
  const buckets = openBuckets(dataDir);
  const deps = {
    buckets,
    clock,
    secretFor: options.secretFor,
    authorize: options.authorize,
    onCall: options.onCall ?? (() => undefined),
  };
  const handle = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    void answerRequest(deps, incoming).then((response) => send(incoming, outgoing, response));
  };
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, handle);
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const sweep = async () => {
    for (const bucket of buckets.values()) await applyLifecycle(bucket, clock.now());
  };
  const timer = setInterval(() => void sweep().catch(logFailure), SWEEP_MS).unref();
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : address}`,
    handle,
    async createBucket(name, config = {}) {
      assertBucketName(name);
      const bucket = buckets.get(name) ?? openBucket(name, join(dataDir, name));
      await bucket.configure(BucketConfig.parse(config));
      buckets.set(name, bucket);
    },
    read: async ({ bucket, ...read }) => readTrusted(buckets.get(bucket), read),
    keys: () =>
      Object.fromEntries([...buckets.values()].map((bucket) => [bucket.name, [...bucket.keys()]])),
    sweep,
    async close() {
      clearInterval(timer);
      server.close();
      server.closeAllConnections();
      if (server.listening) await once(server, 'close');
    },
  };
}

function openBuckets(dataDir: string): Map<string, Bucket> {
  mkdirSync(dataDir, { recursive: true });
  return new Map(readdirSync(dataDir).map((name) => [name, openBucket(name, join(dataDir, name))]));
}

function readTrusted(bucket: Bucket | undefined, read: ObjectRead): HttpResponse {
  try {
    if (bucket === undefined) throw new S3Error('NoSuchBucket');
    return readObject(bucket, read);
  } catch (error) {
    return errorResponse(error, 'LOCAL', read.method === 'HEAD');
  }
}

async function send(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { status, headers, body }: HttpResponse,
): Promise<void> {
  try {
    outgoing.writeHead(status, headers);
    if (body instanceof Readable) await pipeline(body, outgoing);
    else outgoing.end(body);
    drain(incoming);
  } catch (error) {
    // A partial response cannot become an error document; a client that disconnected is not an error.
    if (!outgoing.headersSent) logFailure(error);
    if (body instanceof Readable) body.destroy();
    outgoing.destroy();
  }
}

/** The rest of a refused body must be read, or it blocks the connection for the next request. */
function drain(incoming: IncomingMessage): void {
  incoming.removeAllListeners('readable');
  incoming.on('error', () => undefined);
  setImmediate(() => incoming.resume());
}

function logFailure(error: unknown): void {
  console.error('local S3:', error);
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Deletes what the bucket's lifecycle rules expire at `now`. */
export async function applyLifecycle(bucket: Bucket, now: Date): Promise<void> {
  for (const rule of bucket.config.lifecycle ?? []) {
    const prefix = rule.prefix ?? '';
    for (const key of keysUnder(bucket, prefix)) await expireKey(bucket, key, { rule, now });
    for (const upload of bucket.uploads.list()) {
      const isOver = isPast(upload.initiatedAt, rule.abortIncompleteUploadDays, now);
      if (isOver && upload.key.startsWith(prefix)) await bucket.uploads.remove(upload);
    }
  }
}

/** A copy, because keys leave while the rule is applied. */
function keysUnder(bucket: Bucket, prefix: string): string[] {
  const keys: string[] = [];
  for (const key of bucket.allKeys(prefix)) {
    if (!key.startsWith(prefix)) break;
    keys.push(key);
  }
  return keys;
}

async function expireKey(
  bucket: Bucket,
  key: string,
  { rule, now }: { rule: LifecycleRule; now: Date },
): Promise<void> {
  const [newest, ...earlier] = bucket.versionsOf(key);
  if (newest === undefined) return;
  // A version is noncurrent since its successor was written.
  const successors = [newest, ...earlier];
  earlier.forEach((version, index) => {
    const since = successors[index]?.lastModified ?? '';
    if (isPast(since, rule.noncurrentDays, now)) bucket.removeVersion(version);
  });
  if (isDeleteMarker(newest)) expireMarker(bucket, newest, { rule, now });
  else if (isPast(newest.lastModified, rule.expirationDays, now)) await bucket.remove(key, now);
}

/** A delete marker expires once it is the only version of its key. */
function expireMarker(
  bucket: Bucket,
  marker: StoredVersion,
  { rule, now }: { rule: LifecycleRule; now: Date },
): void {
  if (bucket.versionsOf(marker.key).length > 1) return;
  const isOld = isPast(marker.lastModified, rule.expirationDays, now);
  if (isOld || rule.expiresMarkers === true) bucket.removeVersion(marker);
}

/** S3 adds the days and rounds up to the next midnight UTC. */
function isPast(from: string, days: number | undefined, now: Date): boolean {
  if (days === undefined) return false;
  const end = Math.ceil((Date.parse(from) + days * DAY_MS) / DAY_MS) * DAY_MS;
  return now.getTime() >= end;
}

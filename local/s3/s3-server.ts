import { once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Clock } from '../time/clock.ts';
import type { HttpResponse } from '../http/http.ts';
import { assertBucketName, type Bucket, openBucket } from './bucket.ts';
import { BucketConfig } from './bucket-config.ts';
import { type ObjectRead, readObject } from './objects/get-object.ts';
import { applyLifecycle } from './lifecycle.ts';
import { answerRequest, errorResponse } from './protocol/request-handler.ts';
import type { S3Call } from './protocol/route-context.ts';
import { S3Error } from './protocol/s3-error.ts';

export type { S3Call } from './protocol/route-context.ts';

const SWEEP_MS = 60_000;
/** Longer than the SDK keeps an idle connection, so that it never sends into a closing one. */
const KEEP_ALIVE_MS = 60_000;

/** What the local S3 needs from its surroundings. */
export interface S3Options {
  /** Everything is kept below this directory. */
  dataDir: string;
  clock: Clock;
  /** A free port by default. */
  port?: number;
  /** The region that signatures must be for; `us-east-1` by default. */
  region?: string;
  /** The secret of an access key, or `undefined` for an unknown one. */
  secretFor: (accessKeyId: string) => string | undefined;
  authorize: (call: S3Call) => boolean;
  /** Told of every call that was permitted. */
  onCall?: (call: S3Call) => void;
}

/** A running local S3. */
export interface S3Server {
  url: string;
  /** Makes a bucket, or gives an existing one a new configuration. */
  createBucket(name: string, config?: BucketConfig): Promise<void>;
  /** A read without a signature, for a trusted caller in this process; errors are S3's documents. */
  read(request: ObjectRead & { bucket: string }): Promise<HttpResponse>;
  /** Applies the lifecycle rules now; it also happens once a minute. */
  sweep(): Promise<void>;
  /** Ends all connections; what was answered with success is on disk. */
  close(): Promise<void>;
}

/** Starts an S3 on 127.0.0.1 with what its directory holds from the time before. */
export async function startS3(options: S3Options): Promise<S3Server> {
  const { clock, dataDir } = options;
  const buckets = openBuckets(dataDir);
  const world = {
    buckets,
    clock,
    region: options.region ?? 'us-east-1',
    secretFor: options.secretFor,
    authorize: options.authorize,
    onCall: options.onCall ?? (() => undefined),
  };
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (incoming, outgoing) => {
    void answerRequest(world, incoming).then((response) => send(incoming, outgoing, response));
  });
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const sweep = async () => {
    for (const bucket of buckets.values()) await applyLifecycle(bucket, clock.now());
  };
  const timer = setInterval(() => void sweep().catch(logFailure), SWEEP_MS).unref();
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : address}`,
    async createBucket(name, config = {}) {
      assertBucketName(name);
      const bucket = buckets.get(name) ?? openBucket(name, join(dataDir, name));
      await bucket.configure(BucketConfig.parse(config));
      buckets.set(name, bucket);
    },
    read: async ({ bucket, ...read }) => readTrusted(buckets.get(bucket), read),
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
    // Half an answer cannot become an error document; a client that left is nobody's error.
    if (!outgoing.headersSent) logFailure(error);
    if (body instanceof Readable) body.destroy();
    outgoing.destroy();
  }
}

/** What is left of a refused body has to be read, or the connection stays blocked for its next request. */
function drain(incoming: IncomingMessage): void {
  incoming.removeAllListeners('readable');
  incoming.on('error', () => undefined);
  setImmediate(() => incoming.resume());
}

function logFailure(error: unknown): void {
  console.error('local S3:', error);
}

import { rmSync } from 'node:fs';
import type { IncomingMessage, RequestListener } from 'node:http';
import { join } from 'node:path';
import { Deployment } from './assembly/deployment.ts';
import { readAssembly } from './assembly/read-assembly.ts';
import { type CallCounts, callCounts } from './operator/operator.ts';
import { type Clock, movableClock } from './time/clock.ts';
import { type CloudParts, startCloudParts } from './cloud-parts.ts';
import type { PartitionLimits } from './dynamodb/partition-limits.ts';
import { control, isControlRequest } from './operator/control.ts';
import { type Listener, startListener } from './http/listener.ts';
import type { HttpRequest, HttpResponse } from './http/http.ts';
import type { S3Server } from './s3/s3-server.ts';
import { S3_PREFIX } from './s3/protocol/s3-request.ts';
import { SUPPRESSION_FILE } from './ses/suppression-list.ts';
import { CERTIFICATES_FILE } from './acm/certificate-store.ts';
import { TENANTS_FILE } from './cloudfront/tenant-store.ts';
import { ZONES_FILE } from './dns/zone-store.ts';
import { lockState } from './state/state-lock.ts';

export interface CloudOptions {
  /** Returns the folder of a cloud assembly. Called when the port and the state are reserved. */
  assembly(): Promise<string>;
  /** 8787 by default; 0 chooses a free port. */
  port?: number;
  /** The address to listen on; 127.0.0.1 by default. Another one lets others in the network in. */
  host?: string;
  /** Scheme, host and port of the app in `settings`; `http://localhost:<port>` by default. */
  publicUrl?: string;
  /** Host and port of published projects in `settings`; `sites.localhost:<port>` by default. */
  sitesDomain?: string;
  /** Holds rows, objects, mails and secrets. */
  stateDir: string;
  /** Deletes the state of earlier starts first. */
  fresh?: boolean;
  /** How many requests all functions together may run at once; a new AWS account has 10. No limit by default. */
  accountConcurrency?: number | undefined;
  /** Whether SES is in its sandbox, as in a new AWS account: it mails verified addresses only. */
  mailSandbox?: boolean | undefined;
  /** What each partition key of a table may use in a second; DynamoDB gives `AWS_PARTITION_LIMITS`. No limit by default. */
  partitionLimits?: PartitionLimits | undefined;
  /** How long ACM and CloudFront take to show, issue and deploy, and DNS to forget; 5 by default. */
  domainDelaySeconds?: number | undefined;
  /** How far the clock is ahead of real time at the start. */
  clockAheadSeconds?: number;
  /** Keeps compiled code of the functions beside the assembly, if this Node can do so. */
  keepsCompiledCode?: boolean;
  log(line: string): void;
}

/** A running local cloud. */
export interface Cloud {
  baseUrl: string;
  /** The app's URL on this computer; `/_local/` answers only here. */
  localUrl: string;
  /** Host and port of published projects, without the project's label. */
  sitesDomain: string;
  clock: Clock;
  counts: CallCounts;
  close(): Promise<void>;
}

/** The entries that a cloud creates and that `--fresh` deletes; the folder may hold other files. */
const STATE_ENTRIES = [
  'dynamodb',
  's3',
  'sqs',
  'mail',
  SUPPRESSION_FILE,
  'secrets.json',
  'custom-resources.json',
  ZONES_FILE,
  CERTIFICATES_FILE,
  TENANTS_FILE,
];

function clearState(stateDir: string): void {
  for (const name of STATE_ENTRIES) rmSync(join(stateDir, name), { recursive: true, force: true });
}

/** The port in the templates, which settings must name; see {@link portRewriter}. */
export const DEFAULT_PORT = 8787;

/** One build serves every port: the templates hold the default port, which is replaced on reading. */
function portRewriter(port: number): (template: string) => string {
  return (template) => template.replaceAll(`localhost:${DEFAULT_PORT}`, `localhost:${port}`);
}

/**
 * Replaces the hosts 127.0.0.1 and `localhost` by the app's host, the only one that distributions
 * know.
 */
function withAppHost(request: HttpRequest, appHost: string): HttpRequest {
  const host = request.headers['host'] ?? '';
  if (!/^(?:127\.0\.0\.1|localhost)(?=:|$)/.test(host)) return request;
  return { ...request, headers: { ...request.headers, host: appHost } };
}

/** Sites may have files below the same path, on their own hosts. */
function isS3Request({ url = '', headers }: IncomingMessage, appHost: string): boolean {
  const host = headers.host ?? '';
  const isApp = host === appHost || /^(?:127\.0\.0\.1|localhost)(?=:|$)/.test(host);
  return isApp && url.startsWith(`${S3_PREFIX}/`);
}

/** Files of sites must not run as pages of the app, whose address S3 has here. */
function sandboxed(storage: Pick<S3Server, 'handle'> | undefined): RequestListener | undefined {
  if (storage === undefined) return undefined;
  return (request, response) => {
    response.setHeader('content-security-policy', 'sandbox');
    storage.handle(request, response);
  };
}

/** The addresses by which clients and functions reach the cloud. */
function publicAddresses({ host = '127.0.0.1', publicUrl }: CloudOptions, port: number) {
  if (publicUrl === undefined) {
    // S3 has another origin than the app, as in AWS.
    const own = `http://127.0.0.1:${port}`;
    return { baseUrl: `http://localhost:${port}`, s3Url: own + S3_PREFIX };
  }
  const { hostname, port: publicPort } = new URL(publicUrl);
  const inside = /^(?:0\.0\.0\.0|::)$/.test(host) ? '127.0.0.1' : host;
  const selfRoute = {
    from: { host: hostname, port: Number(publicPort) || 80 },
    to: { host: inside, port },
  };
  return { baseUrl: publicUrl, s3Url: publicUrl + S3_PREFIX, selfRoute };
}

/**
 * Listens, builds the app, and starts everything that its templates define. The port is taken first and kept:
 * a port that is only looked up may be somebody else's when the build is complete.
 */
export async function startCloud(options: CloudOptions): Promise<Cloud> {
  const { stateDir } = options;
  const log = (line: string) => options.log(line);
  const unlock = lockState(stateDir);
  let parts: CloudParts | undefined;
  let storage: Pick<S3Server, 'handle'> | undefined;
  let front: Listener | undefined;
  let appHost = '';
  const close = async () => {
    await front?.close();
    await parts?.close();
    unlock();
  };
  try {
    front = await startListener({
      port: options.port ?? DEFAULT_PORT,
      host: options.host ?? '127.0.0.1',
      log,
      otherServer: (request) => (isS3Request(request, appHost) ? sandboxed(storage) : undefined),
      handle: async (request) => {
        if (parts === undefined) return startingResponse();
        if (isControlRequest(request)) return control(parts.control, request);
        return parts.edge.handle(withAppHost(request, appHost));
      },
    });
    const { port } = front;
    const { baseUrl, ...inside } = publicAddresses(options, port);
    appHost = new URL(baseUrl).host;
    if (options.fresh === true) clearState(stateDir);
    const assemblyDir = await options.assembly();
    const counts = callCounts();
    const clock = movableClock();
    clock.advance((options.clockAheadSeconds ?? 0) * 1000);
    const deployment = new Deployment(readAssembly(assemblyDir, portRewriter(port)));
    const { accountConcurrency, mailSandbox, partitionLimits } = options;
    const { domainDelaySeconds } = options;
    const limits = { accountConcurrency, mailSandbox, partitionLimits };
    const compileCacheDir =
      options.keepsCompiledCode === true ? join(assemblyDir, '..', 'compile-cache') : undefined;
    const kept = { stateDir, compileCacheDir };
    const shared = { deployment, clock, counts, ...kept, ...limits, domainDelaySeconds, log };
    parts = await startCloudParts({ ...shared, ...inside, onStorage: (s3) => (storage = s3) });
    const sitesDomain = options.sitesDomain ?? `sites.localhost:${port}`;
    return { baseUrl, localUrl: `http://localhost:${port}`, sitesDomain, clock, counts, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The response to a request that arrives before the cloud is ready or after it has begun to stop. */
function startingResponse(): HttpResponse {
  const body = {
    status: 'error',
    error: 'The local cloud is starting or stopping.',
    code: 'NOT_READY',
    nextStep: 'Send the same request again in a second.',
    retryAfterSeconds: 1,
  };
  return {
    status: 503,
    // Browsers load the page again by themselves.
    headers: { 'content-type': 'application/json', 'retry-after': '1', refresh: '1' },
    body: Buffer.from(JSON.stringify(body)),
  };
}

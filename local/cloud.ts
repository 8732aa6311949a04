import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Deployment } from './assembly/deployment.ts';
import { readAssembly } from './assembly/read-assembly.ts';
import { type AssemblyOptions, prepareAssembly } from './build.ts';
import { type CallCounts, callCounts } from './operator/call-counts.ts';
import { type Clock, movableClock } from './time/clock.ts';
import { startCloudParts } from './cloud-parts.ts';
import { control, isControl } from './operator/control.ts';
import { hasCode } from './http/error-code.ts';
import { startFront } from './front.ts';
import type { HttpRequest } from './http/http.ts';
import { portOf } from './http/service-server.ts';
import { StartError } from './start-error.ts';
import { lockState } from './state/state-lock.ts';

export interface CloudOptions extends Omit<AssemblyOptions, 'settings'> {
  /** 8787; 0 takes a free one. */
  port?: number;
  /** Rows, objects, mails and secrets live here. */
  stateDir: string;
  /** Starts without what an earlier start left. */
  fresh?: boolean;
  /** Deployment settings that differ from those of `cdk.json`. */
  settings?: Record<string, unknown>;
  log(line: string): void;
}

/** A running local cloud. */
export interface Cloud {
  baseUrl: string;
  /** Host and port of published projects, without the project's label. */
  sitesDomain: string;
  clock: Clock;
  counts: CallCounts;
  /** Ends everything that was started. */
  close(): Promise<void>;
}

/** All that a cloud keeps, and all that `--fresh` removes: the folder may hold things of somebody else. */
const STATE = ['dynamodb', 's3', 'sqs', 'mail', 'secrets.json', 'custom-resources.json'];

function clear(stateDir: string): void {
  for (const name of STATE) rmSync(join(stateDir, name), { recursive: true, force: true });
}

/** Fails early when the port is taken, long before anything listens on it; gives the port for 0. */
async function checkPort(port: number): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  }).catch((error: unknown) => {
    if (!hasCode(error, 'EADDRINUSE')) throw error;
    throw new StartError(`Port ${port} is in use. Choose another one with --port.`);
  });
  const found = portOf(server.address());
  await new Promise((resolve) => server.close(resolve));
  return found;
}

const USUAL_PORT = 8787;

/** Settings under which the app runs on a laptop. */
const LOCAL_SETTINGS = {
  originScheme: 'http',
  appDomain: `localhost:${USUAL_PORT}`,
  sitesDomain: `sites.localhost:${USUAL_PORT}`,
  mailFrom: 'hello@slipway.example',
  securityContact: 'security@slipway.example',
  waf: false,
};

/** One build serves every port: the templates name the usual one, and another is written over it. */
function atPort(port: number): (template: string) => string {
  return (template) => template.replaceAll(`localhost:${USUAL_PORT}`, `localhost:${port}`);
}

/** The loopback address is the app's host by another name; distributions know names only. */
function withAppHost(request: HttpRequest): HttpRequest {
  const host = (request.headers['host'] ?? '').replace(/^127\.0\.0\.1(?=:|$)/, 'localhost');
  return { ...request, headers: { ...request.headers, host } };
}

/** Builds the app, starts everything that its templates describe, and listens when all of it is ready. */
export async function startCloud(options: CloudOptions): Promise<Cloud> {
  const { stateDir } = options;
  const log = (line: string) => options.log(line);
  const unlock = lockState(stateDir);
  const started: (() => Promise<void>)[] = [async () => unlock()];
  const close = async () => {
    for (const end of started.splice(0).toReversed()) await end();
  };
  try {
    const port = await checkPort(options.port ?? USUAL_PORT);
    if (options.fresh === true) clear(stateDir);
    const assemblyDir = await prepareAssembly({
      ...options,
      settings: { ...options.settings, ...LOCAL_SETTINGS },
    });
    const counts = callCounts();
    const clock = movableClock();
    const deployment = new Deployment(readAssembly(assemblyDir, atPort(port)));
    const parts = await startCloudParts({ deployment, stateDir, clock, counts, log });
    started.push(() => parts.close());
    const front = await startFront({
      port,
      log,
      handle: (request) =>
        isControl(request)
          ? control(parts.control, request)
          : parts.edge.handle(withAppHost(request)),
    });
    started.push(() => front.close());
    const sitesDomain = `sites.localhost:${port}`;
    return { baseUrl: `http://localhost:${port}`, sitesDomain, clock, counts, close };
  } catch (error) {
    await close();
    throw error;
  }
}

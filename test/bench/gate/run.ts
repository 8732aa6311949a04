import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, get, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { buffer } from 'node:stream/consumers';
import { bundleFunctions } from '../../../scripts/bundle.ts';
import { siteFiles, storedSite } from './stored-site.ts';

const requestsPerTurn = 150;
const turns = 5;
const cpuPath = '/_cpu';
const microsecondsOfMillisecond = 1000;
const names = ['gate', 'serve-handler', 'sirv'] as const;

/** What is requested; `br` is what a static server answers uncompressed. */
const kinds = {
  'page, 304': { path: '/', coding: 'identity', status: 304 },
  'page, identity': { path: '/', coding: 'identity', status: 200 },
  'page, br': { path: '/', coding: 'br', status: 200 },
  'script, identity': { path: '/app.js', coding: 'identity', status: 200 },
  'script, br': { path: '/app.js', coding: 'br', status: 200 },
} as const;
type Kind = (typeof kinds)[keyof typeof kinds];

const children: ChildProcess[] = [];
const agent = new Agent({ keepAlive: true });

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

function ask(url: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers }, (response) => {
      const { statusCode: status = 0, headers: received } = response;
      buffer(response).then((body) => resolve({ status, headers: received, body }), reject);
    }).on('error', reject);
  });
}

/** Starts a program of this folder; resolves with the address that it prints. */
async function start(program: string, args: string[], env = {}): Promise<string> {
  const file = path.join(import.meta.dirname, program);
  const child = spawn(process.execPath, ['--import', 'tsx', file, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  children.push(child);
  for await (const chunk of child.stdout) return String(chunk).trim();
  throw new Error(`${program} ${args[0]} did not start`);
}

/** What the gate's template gives it. */
function gateEnvironment(services: string): Record<string, string> {
  return {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'AKIABENCH',
    AWS_SECRET_ACCESS_KEY: 'of-a-bench',
    AWS_SESSION_TOKEN: 'of-a-bench',
    AWS_ENDPOINT_URL: services,
    AWS_LAMBDA_FUNCTION_NAME: 'gate',
    ACCESS_SECRET_ARN: 'arn:aws:secretsmanager:us-east-1:000000000000:secret:Secrets-abc123#access',
    BASE_URL: 'http://localhost:8787',
    BRAND: 'Slipway',
    CONTENT_BUCKET: 'content',
    HITS_QUEUE_URL: `${services}/000000000000/hits`,
    PROJECTS_TABLE: 'projects',
    SITES_DOMAIN: 'sites.localhost:8787',
    SITES_TABLE: 'sites',
  };
}

async function headersOf(url: string, { coding, path: at, status }: Kind) {
  const headers = { 'accept-encoding': coding };
  if (status !== 304) return headers;
  const { etag } = (await ask(url + at, headers)).headers;
  return { ...headers, 'if-none-match': String(etag) };
}

/** Refuses an answer that is not what is compared: another status, or other bytes. */
function check(name: string, { status, path: at, coding }: Kind, answer: Answer): void {
  if (answer.status !== status) throw new Error(`${name}: ${answer.status} instead of ${status}`);
  if (status === 304) return;
  const isPacked = answer.headers['content-encoding'] === 'br';
  if (name === 'gate' && isPacked !== (coding === 'br')) throw new Error(`${name}: not ${coding}`);
  const text = String(isPacked ? brotliDecompressSync(answer.body) : answer.body);
  const file = siteFiles()[at === '/' ? 'index.html' : 'app.js'];
  // The gate adds tags to the head of a page.
  if (!text.endsWith(file.slice(-10_000))) throw new Error(`${name}: ${at} is another file`);
}

/** Processor time of one request of a turn, in milliseconds. */
async function timeTurn(name: string, url: string, kind: Kind): Promise<number> {
  const headers = await headersOf(url, kind);
  check(name, kind, await ask(url + kind.path, headers));
  const cpu = async () => Number((await ask(url + cpuPath)).body);
  const before = await cpu();
  for (let at = 0; at < requestsPerTurn; at += 1) await ask(url + kind.path, headers);
  return ((await cpu()) - before) / requestsPerTurn / microsecondsOfMillisecond;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** Starts the services with fixed answers, and the servers that are compared. */
async function startServers(dir: string): Promise<[name: string, url: string][]> {
  const site = await storedSite();
  const stored = path.join(dir, 'stored.json');
  writeFileSync(stored, JSON.stringify(site));
  const folder = path.join(dir, 'site');
  mkdirSync(folder);
  for (const [name, text] of Object.entries(siteFiles()))
    writeFileSync(path.join(folder, name), text);
  const viewerPaths = async () => ({ open: '/_slipway/assets/open-0A1B2C3D.js' });
  await bundleFunctions(path.join(dir, 'bundles'), ['gate'], { viewerPaths, sharesChunks: false });
  const bundle = path.join(dir, 'bundles', 'gate', 'index.mjs');
  const services = await start('fixed-services.ts', [stored]);
  return Promise.all(
    names.map(async (name) => {
      const args = name === 'gate' ? [name, bundle, site.host] : [name, folder];
      const env = name === 'gate' ? gateEnvironment(services) : {};
      return [name, await start('measured-server.ts', args, env)] as [string, string];
    }),
  );
}

/** Times all kinds at all servers in turns, so that other load on the machine affects all of them equally. */
async function timeTurns(servers: readonly [name: string, url: string][]) {
  const times = new Map<string, number[]>();
  const compared = Object.entries(kinds).flatMap(([what, kind]) =>
    servers.map(([name, url]) => ({ key: `${what} ${name}`, name, url, kind })),
  );
  for (let turn = 0; turn <= turns; turn += 1) {
    for (const { key, name, url, kind } of compared) {
      const ms = await timeTurn(name, url, kind);
      // The first turn warms up.
      if (turn > 0) times.set(key, [...(times.get(key) ?? []), ms]);
    }
  }
  return times;
}

async function main(dir: string): Promise<void> {
  const servers = await startServers(dir);
  console.log(
    `Processor time of one request in milliseconds, medians of ${turns} turns with ${requestsPerTurn} requests each`,
  );
  const times = await timeTurns(servers);
  for (const what of Object.keys(kinds)) {
    const medians = names.map((name) => median(times.get(`${what} ${name}`) ?? []));
    const [gate = Number.NaN] = medians;
    const shown = names.map((name, at) => {
      const ms = medians[at] ?? Number.NaN;
      const ratio = at === 0 ? '' : ` (× ${(gate / ms).toFixed(1)})`;
      return `${name} ${ms.toFixed(2)}${ratio}`;
    });
    console.log(`${what}: ${shown.join(', ')}`);
  }
}

const dir = mkdtempSync(path.join(tmpdir(), 'slipway-bench-gate-'));
try {
  await main(dir);
} finally {
  for (const child of children) child.kill();
  agent.destroy();
  rmSync(dir, { recursive: true });
}

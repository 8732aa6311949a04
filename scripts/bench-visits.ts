import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as z from 'zod';

const requestsPerTurn = 100;
const turns = 5;

/** The kinds of requests that are compared; the first is the unit of the ratios. */
const kinds = { 'an asset that the edge holds': '/app.css', 'a page': '/', 'a 404': '/nowhere' };
const widths = [1, 16];

const Published = z.object({ data: z.object({ url: z.url() }) });

/** Starts a local cloud with a state of its own; resolves with its address when it is ready. */
async function startLocalCloud(stateDir: string) {
  const args = [
    '--import',
    'tsx',
    'bin/local.ts',
    '--quiet',
    '--port=0',
    `--state-dir=${stateDir}`,
  ];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let output = '';
  for await (const chunk of child.stdout) {
    output += String(chunk);
    const [, url] = /App\s+(http:\S+)[\s\S]*Ctrl-C/.exec(output) ?? [];
    if (url === undefined) continue;
    return {
      url,
      async stop() {
        child.kill('SIGTERM');
        await ended;
      },
    };
  }
  throw new Error(`The local cloud did not start: ${output}`);
}

async function publish(baseUrl: string): Promise<URL> {
  const body = new FormData();
  const page =
    '<!doctype html><title>Bench</title><link rel="stylesheet" href="app.css"><h1>Bench</h1>';
  body.append('files', new Blob([page], { type: 'text/html' }), 'index.html');
  body.append('files', new Blob(['h1 { color: teal }'], { type: 'text/css' }), 'app.css');
  const response = await fetch(`${baseUrl}/v1/projects/temp`, { method: 'POST', body });
  return new URL(Published.parse(await response.json()).data.url);
}

const agent = new Agent({ keepAlive: true });

/** Requests a path as a browser does; resolves with the elapsed time. */
async function timeRequest({ host, port }: URL, requestPath: string): Promise<number> {
  const startedAt = performance.now();
  const headers = { host, accept: 'text/html', 'user-agent': 'Mozilla/5.0 (X11) Chrome/130.0.0.0' };
  await new Promise<void>((resolve, reject) => {
    const options = { agent, host: '127.0.0.1', port, path: requestPath, headers };
    get(options, (response) => {
      response.on('error', reject).on('end', resolve).resume();
    }).on('error', reject);
  });
  return performance.now() - startedAt;
}

/** Elapsed times of one turn with `width` requests at once. */
async function timeTurn(site: URL, requestPath: string, width: number): Promise<number[]> {
  const times: number[] = [];
  let left = requestsPerTurn;
  const requestUntilDone = async () => {
    while (left-- > 0) times.push(await timeRequest(site, requestPath));
  };
  await Promise.all(Array.from({ length: width }, requestUntilDone));
  return times;
}

/** Times all kinds in turns, so that other load on the machine affects all of them equally. */
async function compare(site: URL, width: number): Promise<void> {
  const times = new Map<string, number[]>();
  for (let turn = 0; turn <= turns; turn += 1) {
    for (const [kind, requestPath] of Object.entries(kinds)) {
      const measured = await timeTurn(site, requestPath, width);
      // The first turn starts the functions.
      if (turn > 0) times.set(kind, [...(times.get(kind) ?? []), ...measured]);
    }
  }
  let unit: number | undefined;
  for (const [kind, measured] of times) {
    const sorted = measured.toSorted((a, b) => a - b);
    const median = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
    unit ??= median;
    console.log(
      `${kind}, ${width} at once: ${median.toFixed(1)} ms (× ${(median / unit).toFixed(1)})`,
    );
  }
}

const stateDir = mkdtempSync(path.join(tmpdir(), 'slipway-bench-'));
try {
  const cloud = await startLocalCloud(stateDir);
  try {
    const site = await publish(cloud.url);
    console.log(`Visits of the local cloud, medians of ${requestsPerTurn * turns} requests`);
    for (const width of widths) await compare(site, width);
  } finally {
    agent.destroy();
    await cloud.stop();
  }
} finally {
  rmSync(stateDir, { recursive: true });
}

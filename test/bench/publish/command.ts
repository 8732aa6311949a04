import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { ask } from '../../fixtures/clouds/client.ts';
import { receiveAt, startFaultProxy } from '../../fixtures/clouds/fault-proxy.ts';
import type { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';

/** Pairs that are measured, after those that warm up the function's workers. */
const turns = { warmUp: 4, measured: 11 };

async function answerOf(program: string, args: readonly string[], cwd: string, key: string) {
  const startedAt = performance.now();
  const env = { PATH: process.env['PATH'], HOME: cwd, SLIPWAY_KEY: key };
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const stdout = await text(child.stdout);
  return { stdout, elapsed: performance.now() - startedAt };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** A connection of 20 Mbit/s, in bytes a second: without a network, only the work of both programs is left. */
const slowLink = 2_500_000;

/**
 * Publishes the files of a ZIP by the command, and beside it the ZIP as it is by curl: in this computer, and over a
 * slower connection. The goal is at most 1.3 times: the command starts Node, finds the files and packs them.
 */
export async function measureCommand(
  { baseUrl }: LocalCloud,
  key: string,
  archive: string,
): Promise<void> {
  const folder = `${archive}-command`;
  mkdirSync(path.join(folder, 'site'), { recursive: true });
  writeFileSync(path.join(folder, 'cli.tgz'), (await ask(`${baseUrl}/cli.tgz`)).body);
  execFileSync('tar', ['xzf', 'cli.tgz'], { cwd: folder });
  execFileSync('unzip', ['-q', archive, '-d', path.join(folder, 'site')]);
  const read = receiveAt(slowLink);
  const link = await startFaultProxy(baseUrl, (exchange, forward) => forward(exchange), read);
  try {
    console.log(await compare(baseUrl, { baseUrl, key, archive, folder }));
    console.log(`At 20 Mbit/s: ${await compare(link.url, { baseUrl, key, archive, folder })}`);
  } finally {
    await link.close();
  }
}

interface Publishing {
  baseUrl: string;
  key: string;
  archive: string;
  /** Has the command, and the files of the archive. */
  folder: string;
}

/** Publishes in turns, and says how long each took. */
async function compare(
  url: string,
  { baseUrl, key, archive, folder }: Publishing,
): Promise<string> {
  const headers = { authorization: `Bearer ${key}` };
  const remove = (id: string) => ask(`${baseUrl}/v1/projects/${id}`, { method: 'DELETE', headers });
  const choices = ['--new', '--home', 'index.html', '--url', url, '--json', '--quiet'];
  const command = ['package/main.mjs', 'publish', 'site', ...choices];
  const form = ['title=Bench', 'zipIndexHtmlPath=index.html', `files=@${archive}`];
  const curl = ['-sS', '-H', `Authorization: Bearer ${key}`, `${url}/v1/projects`];
  curl.push(...form.flatMap((one) => ['-F', one]));
  const pairs: { command: number; curl: number }[] = [];
  for (let turn = 0; turn < turns.warmUp + turns.measured; turn += 1) {
    const ours = await answerOf('node', command, folder, key);
    await remove(JSON.parse(ours.stdout).projectId);
    const theirs = await answerOf('curl', curl, folder, key);
    await remove(JSON.parse(theirs.stdout).data.projectId);
    if (turn >= turns.warmUp) pairs.push({ command: ours.elapsed, curl: theirs.elapsed });
  }
  const [ours, theirs, ratio] = [
    median(pairs.map((one) => one.command)),
    median(pairs.map((one) => one.curl)),
    median(pairs.map((one) => one.command / one.curl)),
  ].map((value) => value.toFixed(2));
  const each = pairs.map((one) => (one.command / one.curl).toFixed(2)).join(' ');
  return `by the command ${ours} ms, the ZIP by curl ${theirs} ms, median of the ratios ${ratio} (${each})`;
}

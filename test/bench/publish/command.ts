import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { ask } from '../../fixtures/clouds/client.ts';
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

/**
 * Publishes the files of a ZIP by the command, and beside it the ZIP as it is by curl. The goal is at most 1.3
 * times: the command starts Node, finds the files and packs them.
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
  const headers = { authorization: `Bearer ${key}` };
  const remove = (id: string) => ask(`${baseUrl}/v1/projects/${id}`, { method: 'DELETE', headers });
  const command = ['package/main.mjs', 'publish', 'site', '--new', '--home', 'index.html'];
  const form = ['title=Bench', 'zipIndexHtmlPath=index.html', `files=@${archive}`];
  const curl = ['-sS', '-H', `Authorization: Bearer ${key}`, `${baseUrl}/v1/projects`];
  const measured: { command: number; curl: number }[] = [];
  for (let turn = 0; turn < turns.warmUp + turns.measured; turn += 1) {
    const ours = await answerOf('node', [...command, '--json', '--quiet'], folder, key);
    await remove(JSON.parse(ours.stdout).projectId);
    const theirs = await answerOf(
      'curl',
      [...curl, ...form.flatMap((one) => ['-F', one])],
      folder,
      key,
    );
    await remove(JSON.parse(theirs.stdout).data.projectId);
    if (turn >= turns.warmUp) measured.push({ command: ours.elapsed, curl: theirs.elapsed });
  }
  const [ours, theirs] = [
    median(measured.map((one) => one.command)),
    median(measured.map((one) => one.curl)),
  ];
  const ratio = median(measured.map((one) => one.command / one.curl));
  console.log(
    `By the command: ${ours.toFixed(0)} ms; the ZIP by curl: ${theirs.toFixed(0)} ms; median of the ratios of ${turns.measured} pairs: ${ratio.toFixed(2)}`,
  );
}

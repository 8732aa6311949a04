import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { portOf } from '../http/service-server.ts';
import { StartError } from '../start-error.ts';
import { findBinary } from './engine-binary.ts';

/** A DynamoDB engine that runs until it is closed. */
export interface EngineProcess {
  url: string;
  close(): Promise<void>;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = portOf(server.address());
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function commandOf(pid: number): string {
  const file = `/proc/${pid}/cmdline`;
  if (existsSync('/proc/self/cmdline')) {
    return existsSync(file) ? readFileSync(file, 'utf8').replaceAll('\0', ' ') : '';
  }
  try {
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}

/** A local cloud that was killed leaves its engine running; only a process with our own file is ended. */
async function endLeftover(pidFile: string, databaseFile: string): Promise<void> {
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, 'utf8'));
  const isOurs = () => commandOf(pid).includes(`--db-path ${databaseFile}`);
  if (pid > 1 && isOurs()) {
    process.kill(pid, 'SIGKILL');
    for (let waited = 0; isOurs() && waited < 100; waited += 1) await delay(20);
  }
  rmSync(pidFile, { force: true });
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function isUp(url: string): Promise<boolean> {
  try {
    await fetch(url, { method: 'POST', body: '{}' });
    return true;
  } catch {
    return false;
  }
}

async function waitUntilUp(url: string, child: ChildProcess): Promise<void> {
  for (let waited = 0; waited < 500; waited += 1) {
    if (child.exitCode !== null || child.signalCode !== null) break;
    if (await isUp(url)) return;
    await delay(10);
  }
  child.kill('SIGKILL');
  throw new StartError(
    'The DynamoDB engine did not start. Start with --fresh if its file is damaged.',
  );
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 2000);
  await gone;
  clearTimeout(timer);
}

/** Starts the engine on its file in the state directory; `DYNAMODB_ENDPOINT` names another one to use. */
export async function startEngineProcess(stateDir: string): Promise<EngineProcess> {
  const given = process.env['DYNAMODB_ENDPOINT'];
  if (given !== undefined) return { url: given, close: () => Promise.resolve() };
  const databaseFile = join(stateDir, 'dynamodb', 'tables.db');
  const pidFile = join(stateDir, 'dynamodb', 'engine.pid');
  mkdirSync(dirname(databaseFile), { recursive: true });
  await endLeftover(pidFile, databaseFile);
  const binary = await findBinary(stateDir);
  const port = await freePort();
  const child = spawn(
    binary,
    ['--host', '127.0.0.1', '--port', String(port), '--db-path', databaseFile],
    { stdio: 'ignore' },
  );
  child.on('error', () => undefined);
  writeFileSync(pidFile, String(child.pid ?? 0));
  const url = `http://127.0.0.1:${port}`;
  await waitUntilUp(url, child);
  return {
    url,
    async close() {
      await end(child);
      rmSync(pidFile, { force: true });
    },
  };
}

import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { portOf } from '../http/service-server.ts';
import { StartError } from '../errors.ts';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';

/** A running DynamoDB engine. */
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

function commandLineOf(pid: number): string {
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

/** Stops the engine of a local cloud that was killed, and no other process: its command names our file. */
async function endLeftover(pidFile: string, databaseFile: string): Promise<void> {
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, 'utf8'));
  const isEngine = () => commandLineOf(pid).includes(`--db-path ${databaseFile}`);
  if (pid > 1 && isEngine()) {
    process.kill(pid, 'SIGKILL');
    for (let waited = 0; isEngine() && waited < 100; waited += 1) await delay(20);
  }
  rmSync(pidFile, { force: true });
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Waits until the engine has bound its port, which it reports on stderr; returns why it ended otherwise. */
async function waitUntilListening(child: ChildProcess): Promise<{ failure?: string }> {
  return new Promise((resolve) => {
    let output = '';
    const timer = setTimeout(() => child.kill('SIGKILL'), READY_MS);
    const settle = (result: { failure?: string }) => {
      clearTimeout(timer);
      resolve(result);
    };
    child.stderr?.on('data', (chunk: Buffer) => {
      output = `${output}${chunk.toString()}`.slice(-1000);
      if (output.includes('listening on')) settle({});
    });
    child.on('error', (error) => settle({ failure: error.message }));
    child.once('close', () => settle({ failure: output.trim() }));
  });
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 2000);
  await gone;
  clearTimeout(timer);
}

const READY_MS = 30_000;

/** The engine cannot be asked for the port that it got, so it is told one, which another program may take first. */
const PORT_ATTEMPTS = 10;

/** Starts the engine with a file in the state directory, or uses the server at `DYNAMODB_ENDPOINT`. */
export async function startEngineProcess(
  stateDir: string,
  choosePort: () => Promise<number> = freePort,
): Promise<EngineProcess> {
  const external = process.env['DYNAMODB_ENDPOINT'];
  if (external !== undefined) return { url: external, close: () => Promise.resolve() };
  const databaseFile = join(stateDir, 'dynamodb', 'tables.db');
  const pidFile = join(stateDir, 'dynamodb', 'engine.pid');
  mkdirSync(dirname(databaseFile), { recursive: true });
  await endLeftover(pidFile, databaseFile);
  const binary = await engineBinary(stateDir);
  let failure = '';
  for (let attempt = 0; attempt < PORT_ATTEMPTS; attempt += 1) {
    const port = await choosePort();
    const child = spawn(
      binary,
      ['--host', '127.0.0.1', '--port', String(port), '--db-path', databaseFile],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    // It ends with this process, also when this process exits before `close`.
    const kill = () => child.kill('SIGKILL');
    process.once('exit', kill);
    child.once('exit', () => process.off('exit', kill));
    writeFileSync(pidFile, String(child.pid ?? 0));
    const started = await waitUntilListening(child);
    if (started.failure === undefined) return running(child, port, pidFile);
    failure = started.failure;
    if (!/in use/i.test(failure)) break;
  }
  rmSync(pidFile, { force: true });
  throw new StartError(
    `The DynamoDB engine did not start${failure && ` (${failure})`}. If its file is damaged, start with --fresh.`,
  );
}

function running(child: ChildProcess, port: number, pidFile: string): EngineProcess {
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      await stopProcess(child);
      rmSync(pidFile, { force: true });
    },
  };
}

const VERSION = '1.2.1';

const EXECUTABLE = process.platform === 'win32' ? 'dynoxide.exe' : 'dynoxide';

function installed(packageName: string): string | undefined {
  try {
    const manifest = createRequire(import.meta.url).resolve(`${packageName}/package.json`);
    return join(dirname(manifest), EXECUTABLE);
  } catch {
    return undefined;
  }
}

/**
 * The path of the DynamoDB engine. On Linux x64 it is an optional dependency; on other platforms its
 * package is installed into the state directory at the first start.
 */
export async function engineBinary(stateDir: string): Promise<string> {
  const packageName = `@dynoxide/${process.platform}-${process.arch}`;
  const engineDir = join(stateDir, 'engine');
  const downloaded = join(engineDir, 'node_modules', packageName, EXECUTABLE);
  const found = [installed(packageName), downloaded].find(
    (file) => file !== undefined && existsSync(file),
  );
  if (found !== undefined) return found;
  const options = [
    '--prefix',
    engineDir,
    '--no-save',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
  ];
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  try {
    await promisify(execFile)(npm, ['install', ...options, `${packageName}@${VERSION}`]);
  } catch {
    throw new StartError(
      `The local DynamoDB (${packageName}@${VERSION}) is not available for this machine. Run another DynamoDB-compatible server and set DYNAMODB_ENDPOINT to its address.`,
    );
  }
  return downloaded;
}

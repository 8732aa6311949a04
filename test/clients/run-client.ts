import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const neededNode = [22, 19] as const;
const bin = join(import.meta.dirname, 'node_modules', '.bin');

/** The clients that are installed. */
type ClientName = 'mcp-inspector' | 'conformance' | 'mcp-remote';

/** The program of one of them. */
export function clientPath(name: ClientName): string {
  return join(bin, name);
}

/** What a client printed, and how it ended. */
export interface Run {
  code: number;
  stdout: string;
  /** Both streams, in the order in which they came. */
  output: string;
}

/** Throws where these clients cannot run, and says what is missing: nothing is left out in silence. */
export function needClients(): void {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < neededNode[0] || (major === neededNode[0] && minor < neededNode[1]))
    throw new Error(
      `These clients need Node ${neededNode.join('.')} or newer, this is ${process.version}. Start \`npm run test:clients\` with a newer one.`,
    );
  if (!existsSync(bin))
    throw new Error(
      'These clients are not installed. Run `npm ci --prefix test/clients` with the same Node.',
    );
}

/** How a client is run. */
interface RunOptions {
  /** Its home folder; one of its own that goes afterwards, unless several runs are to share one. */
  home?: string;
  env?: Record<string, string>;
  /** Hears of everything printed so far, each time that there is more. */
  onOutput?: (output: string) => void;
}

/** Runs one of the installed clients to its end. */
export async function runClient(
  name: ClientName,
  args: readonly string[],
  options: RunOptions = {},
): Promise<Run> {
  if (options.home !== undefined) return ended(name, args, options.home, options);
  const home = mkdtempSync(join(tmpdir(), 'slipway-client-'));
  try {
    return await ended(name, args, home, options);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function ended(
  name: ClientName,
  args: readonly string[],
  home: string,
  { env = {}, onOutput = () => undefined }: RunOptions,
): Promise<Run> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [clientPath(name), ...args], {
      cwd: home,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, HOME: home, NODE_OPTIONS: '', NO_COLOR: '1', ...env },
    });
    const run = { stdout: '', output: '' };
    child.stdout.on('data', (chunk: Buffer) => {
      run.stdout += chunk.toString();
      run.output += chunk.toString();
      onOutput(run.output);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      run.output += chunk.toString();
      onOutput(run.output);
    });
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === null) reject(new Error(`${name} was ended by ${signal}:\n${run.output}`));
      else resolve({ code, ...run });
    });
  });
}

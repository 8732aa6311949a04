import { spawn } from 'node:child_process';
import { performance } from 'node:perf_hooks';

/** How a command ended, and all that it printed. */
export interface CommandResult {
  status: number;
  output: string;
}

type Run = (command: string) => Promise<CommandResult>;

/**
 * Runs lanes of shell commands at the same time, and the commands of a lane one after the other.
 * Prints the output of each command in one piece, when it ends. A failed command stops no other one,
 * so that one run reports everything.
 *
 * @returns the commands that failed
 */
export async function runSideBySide(
  lanes: readonly (readonly string[])[],
  print: (text: string) => void,
  run: Run = runInShell,
): Promise<string[]> {
  const failed: string[] = [];
  const runLane = async (commands: readonly string[]) => {
    for (const command of commands) {
      const startedAt = performance.now();
      const { status, output } = await run(command);
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      if (status !== 0) failed.push(command);
      print(`--- ${command}: ${status === 0 ? 'passed' : 'FAILED'} in ${seconds} s\n${output}`);
    }
  };
  await Promise.all(lanes.map(runLane));
  return failed;
}

function runInShell(command: string): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.once('error', reject);
    child.once('close', (status) =>
      // A command that a signal ended has no status.
      resolve({ status: status ?? 1, output: Buffer.concat(chunks).toString() }),
    );
  });
}

// @ts-check
/**
 * Runs in a worker thread of its own and checks again and again whether the same run of a viewer function still
 * goes on.
 */
import { execFileSync } from 'node:child_process';
import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';

/** CloudFront allows about a millisecond of computing; two seconds mean an endless loop. */
const maxChecks = 4;
const LOOK_EVERY_MS = 500;

const current = new Int32Array(workerData.current);
const name = new Uint8Array(workerData.name);
let last = 0;
let checks = 0;

// Counts checks instead of time: a computer that sleeps meanwhile makes none.
setInterval(() => {
  const run = Atomics.load(current, 0);
  checks = run !== 0 && run === last ? checks + 1 : 0;
  last = run;
  if (checks < maxChecks) return;
  const [text = ''] = new TextDecoder().decode(name.slice()).split('\0');
  // This thread writes the message and ends the process, because the main thread does not answer.
  writeSync(
    2,
    `The viewer function in ${text} does not end. CloudFront would stop it after about a millisecond and answer 503. The local cloud ends here: correct the loop in the function, then start it again.\n`,
  );
  endChildren();
  process.kill(process.pid, 'SIGKILL');
}, LOOK_EVERY_MS);

/** Ends the child processes; otherwise the DynamoDB engine would go on. */
function endChildren() {
  try {
    execFileSync('pkill', ['-KILL', '-P', String(process.pid)], { stdio: 'ignore' });
  } catch {
    // Without `pkill`, the next start with the same state ends the engine.
  }
}

import { Worker } from 'node:worker_threads';

/** The longest name that the watchdog can tell, in bytes. */
const NAME_BYTES = 256;

interface Watchdog {
  /** The number of the run that is on, or 0. */
  current: Int32Array;
  /** What runs, in UTF-8, ended by a zero. */
  name: Uint8Array;
}

let started: Watchdog | undefined;
let runs = 0;
const encoder = new TextEncoder();

/**
 * Runs code that must not compute for long. If it has not returned after two seconds, a thread of its own says
 * so on standard error and ends the process.
 *
 * The `timeout` of `node:vm` would go on afterwards, but starts a thread for each run, which takes twenty times as
 * long as a run itself.
 *
 * @param filename what the message names
 */
export function watched(filename: string, run: () => void): void {
  const { current, name } = (started ??= start());
  const { written } = encoder.encodeInto(filename, name.subarray(0, -1));
  name[written] = 0;
  runs = (runs % 0x7f_ff_ff_ff) + 1;
  Atomics.store(current, 0, runs);
  try {
    run();
  } finally {
    Atomics.store(current, 0, 0);
  }
}

function start(): Watchdog {
  const current = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const name = new Uint8Array(new SharedArrayBuffer(NAME_BYTES));
  const worker = new Worker(new URL('./watchdog.mjs', import.meta.url), {
    workerData: { current: current.buffer, name: name.buffer },
    // The parent's flags would load tsx or Jest's hooks into the worker.
    execArgv: [],
  });
  worker.unref();
  return { current, name };
}

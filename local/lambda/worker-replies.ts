import * as z from 'zod';
import type { Worker } from 'node:worker_threads';

const Failure = z.object({ errorType: z.string(), errorMessage: z.string(), stack: z.string() });
const Output = z.object({
  kind: z.literal('output'),
  stream: z.enum(['stdout', 'stderr']),
  text: z.string(),
});
const Chunk = z.object({
  kind: z.literal('chunk'),
  contentType: z.string(),
  bytes: z.instanceof(Uint8Array),
});
/** Part of a streamed answer. */
export type Chunk = z.infer<typeof Chunk>;

const Message = z.discriminatedUnion('kind', [
  Output,
  Chunk,
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('result'), payload: z.string() }),
  Failure.extend({ kind: z.literal('error') }),
]);
/** Why a request failed; the stack is for the log. */
export type Failure = z.infer<typeof Failure>;

/** A reply of the worker, or why there is none. */
export type Reply =
  | Exclude<z.infer<typeof Message>, { kind: 'output' | 'chunk' }>
  | { kind: 'timeout' }
  | { kind: 'exit'; failure: Failure };

const ThrownInWorker = z.looseObject({
  name: z.string().default('Error'),
  message: z.string().default('unknown'),
  stack: z.string().default(''),
  code: z.string().optional(),
});

/** Turns the worker's messages into replies that are awaited one by one; output and chunks go to the listeners. */
export function workerReplies(
  worker: Worker,
  onLine: (line: string) => void,
  onChunk: (chunk: Chunk) => void,
) {
  const printed = { stdout: lineSplitter(onLine), stderr: lineSplitter(onLine) };
  const unread: Reply[] = [];
  let waiting: ((reply: Reply) => void) | undefined;
  let thrown: unknown;
  let ready = false;

  function deliver(reply: Reply): void {
    if (reply.kind === 'ready') ready = true;
    if (waiting === undefined) unread.push(reply);
    else waiting(reply);
  }

  worker.on('message', (received: unknown) => {
    const message = Message.parse(received);
    if (message.kind === 'output') printed[message.stream].write(message.text);
    else if (message.kind === 'chunk') onChunk(message);
    else deliver(message);
  });
  worker.on('error', (error: unknown) => {
    thrown = error;
  });
  const ended = new Promise<void>((resolve) => {
    worker.once('exit', (code) => {
      printed.stdout.end();
      printed.stderr.end();
      deliver({ kind: 'exit', failure: exitFailure(thrown, code) });
      resolve();
    });
  });

  return {
    ended,
    isReady: () => ready,
    async next(limitMs: number): Promise<Reply> {
      const early = unread.shift();
      if (early !== undefined) return early;
      return await new Promise<Reply>((resolve) => {
        const timer = setTimeout(() => waiting?.({ kind: 'timeout' }), limitMs);
        waiting = (reply) => {
          clearTimeout(timer);
          waiting = undefined;
          resolve(reply);
        };
      });
    },
  };
}

function exitFailure(thrown: unknown, code: number): Failure {
  const error = ThrownInWorker.safeParse(thrown);
  if (!error.success || error.data.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    const reason = error.success ? error.data.message : `exit status ${code}`;
    const errorMessage = `Error: Runtime exited with error: ${reason}`;
    return { errorType: 'Runtime.ExitError', errorMessage, stack: '' };
  }
  const { name, message, stack } = error.data;
  return { errorType: name, errorMessage: message, stack };
}

interface LineSplitter {
  write(text: string): void;
  /** Emits the rest after the last line break. */
  end(): void;
}

/** Splits a stream of text into lines. */
export function lineSplitter(onLine: (line: string) => void): LineSplitter {
  let rest = '';
  return {
    write(text) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) onLine(line);
    },
    end() {
      if (rest !== '') onLine(rest);
      rest = '';
    },
  };
}

import { randomBytes, randomUUID } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { type FunctionOptions, lambdaEnvironment, logGroupName } from './lambda-environment.ts';
import { type InvokeResult, maxPayloadBytes, type StreamResult } from './invoke-result.ts';
import { type StreamedBody, streamedBody } from './streamed-body.ts';
import { type Failure, type Reply, workerReplies } from './worker-replies.ts';

/** One worker with one copy of the bundle, for one request at a time. */
export interface ExecutionEnvironment {
  /** Expects the event as JSON; never rejects. */
  invoke(event: string): Promise<InvokeResult>;
  /** Like `invoke` for a streaming function; after `ended` it can serve another request. */
  stream(event: string): { started: Promise<StreamResult>; ended: Promise<void> };
  setClockOffset(offsetMs: number): void;
  stop(): Promise<void>;
  /** False once the worker has ended. */
  readonly alive: boolean;
  /** False while it loads the bundle. */
  readonly loaded: boolean;
}

/**
 * Room for new objects, which V8 fills before it collects any of them. Its default, 48 MB, is for one
 * program in a process; here up to ten environments of several functions share it.
 */
const YOUNG_MB = 12;

/**
 * V8 takes all this room at once; the flag counts a third of it. Otherwise V8 takes it bit by bit and collects
 * objects each time, which costs a fifth of the CPU time of loading a bundle.
 */
setFlagsFromString(`--min-semi-space-size=${YOUNG_MB / 3}`);

/** Lambda limits the init phase to 10 s, then retries it within the function's timeout. */
const initSeconds = 10;

/** Starts a worker; `onExit` is called once when it ends. */
export function startExecutionEnvironment(
  options: FunctionOptions,
  clockOffsetMs: number,
  onExit: () => void,
): ExecutionEnvironment {
  const worker = startWorker(options, clockOffsetMs);
  const log = (line: string) => options.log(line);
  let streamed: StreamedBody | undefined;
  const replies = workerReplies(worker, log, (chunk) => streamed?.chunk(chunk));
  let alive = true;
  void replies.ended.then(() => {
    alive = false;
    onExit();
  });

  async function stop(): Promise<void> {
    alive = false;
    await worker.terminate();
  }

  const run = createRunner(options, { worker, replies, stop });
  return {
    invoke: (event) => run(event, false),
    stream(event) {
      // Bytes read after the function's end must not count for its next response.
      const body = streamedBody((bytes) => {
        if (streamed === body) send(worker, { kind: 'read', bytes });
      });
      streamed = body;
      const ended = run(event, true).then((result) => {
        streamed = undefined;
        body.end(result);
      });
      return { started: body.started, ended };
    },
    setClockOffset: (offsetMs) => send(worker, { kind: 'clock', offsetMs }),
    stop,
    get alive() {
      return alive;
    },
    get loaded() {
      return replies.isReady();
    },
  };
}

interface Running {
  worker: Worker;
  replies: Pick<ReturnType<typeof workerReplies>, 'next'>;
  stop: () => Promise<void>;
}

/** Sends requests to a worker, one after the other, and stops it if it does not reply properly. */
function createRunner(options: FunctionOptions, { worker, replies, stop }: Running) {
  let ready = false;

  async function failAndStop(reply: Reply, requestId: string): Promise<InvokeResult> {
    await stop();
    return failed(options, failureOf(reply, options.timeoutSeconds), requestId);
  }

  return async (event: string, isStreamed: boolean): Promise<InvokeResult> => {
    const requestId = randomUUID();
    const timeoutMs = options.timeoutSeconds * 1000;
    if (!ready) {
      const first = await replies.next(initSeconds * 1000 + timeoutMs);
      if (first.kind !== 'ready') return await failAndStop(first, requestId);
      ready = true;
    }
    const ids = { requestId, traceId: newTraceId() };
    send(worker, { kind: 'invoke', event, ...ids, timeoutMs, isStreamed });
    const reply = await replies.next(timeoutMs);
    if (reply.kind === 'error') return failed(options, reply, requestId);
    if (reply.kind !== 'result') return await failAndStop(reply, requestId);
    if (Buffer.byteLength(reply.payload) > maxPayloadBytes) {
      return failed(options, tooLarge, requestId);
    }
    const payload: unknown = JSON.parse(reply.payload);
    return { ok: true, payload, requestId };
  };
}

const tooLarge: Failure = {
  errorType: 'Function.ResponseSizeTooLarge',
  errorMessage: `Response payload size exceeded maximum allowed payload size (${maxPayloadBytes} bytes).`,
  stack: '',
};

function startWorker(options: FunctionOptions, clockOffsetMs: number): Worker {
  const day = options.clock.now().toISOString().slice(0, 10).replaceAll('-', '/');
  const logStreamName = `${day}/[$LATEST]${randomBytes(16).toString('hex')}`;
  return new Worker(new URL('./worker.mjs', import.meta.url), {
    env: lambdaEnvironment(options, logStreamName),
    // The parent's flags would load tsx or jest hooks into the worker.
    execArgv: [],
    // The worker sends its output as messages.
    stdout: true,
    stderr: true,
    resourceLimits: {
      maxOldGenerationSizeMb: options.memoryMb,
      maxYoungGenerationSizeMb: YOUNG_MB,
    },
    workerData: {
      codeDir: options.codeDir,
      handler: options.handler,
      clockOffsetMs,
      selfRoute: options.selfRoute,
      compileCacheDir: options.compileCacheDir,
      context: {
        functionName: options.name,
        functionVersion: '$LATEST',
        invokedFunctionArn: options.arn,
        memoryLimitInMB: String(options.memoryMb),
        logGroupName: logGroupName(options.name),
        logStreamName,
      },
    },
  });
}

function send(worker: Worker, message: Record<string, unknown>): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  worker.postMessage(message);
}

function failed(
  { log }: Pick<FunctionOptions, 'log'>,
  failure: Failure,
  requestId: string,
): InvokeResult {
  log(invokeErrorLine(failure, requestId));
  return { ok: false, errorType: failure.errorType, errorMessage: failure.errorMessage };
}

function invokeErrorLine({ errorType, errorMessage, stack }: Failure, requestId: string): string {
  const line = { level: 'ERROR', message: 'Invoke Error', requestId, errorType, errorMessage };
  return JSON.stringify({ ...line, stack: stack.split('\n') });
}

function failureOf(reply: Reply, timeoutSeconds: number): Failure {
  if (reply.kind === 'exit') return reply.failure;
  if (reply.kind === 'error') return reply;
  const errorMessage = `Error: Task timed out after ${timeoutSeconds.toFixed(2)} seconds`;
  return { errorType: 'Sandbox.Timedout', errorMessage, stack: '' };
}

function newTraceId(): string {
  const seconds = Math.floor(Date.now() / 1000).toString(16);
  const root = `1-${seconds}-${randomBytes(12).toString('hex')}`;
  return `Root=${root};Parent=${randomBytes(8).toString('hex')};Sampled=0`;
}

// @ts-check
/**
 * Runs inside one worker thread: loads the deployed bundle and answers one request at a time.
 *
 * Plain JavaScript with no dependencies, because a worker inherits neither tsx nor jest transforms.
 */
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * @typedef {{ kind: 'invoke', event: string, requestId: string, traceId: string, timeoutMs: number }} InvokeMessage
 * @typedef {{ kind: 'clock', offsetMs: number }} ClockMessage
 * @typedef {(event: unknown, context: Record<string, unknown>) => unknown} Handler
 */

const { codeDir, handler: handlerName, clockOffsetMs, context: identity } = workerData;
const port = parentPort;
if (port === null) throw new Error('worker.mjs runs as a worker thread only.');

let offsetMs = clockOffsetMs;

/**
 * Moves `Date` by the cloud's clock offset before the bundle loads. A proxy instead of a subclass:
 * `Date()` stays callable and every native date is still an `instanceof Date`.
 */
function shiftDate() {
  const RealDate = Date;
  const realNow = RealDate.now;
  const shiftedNow = () => realNow() + offsetMs;
  RealDate.now = function now() {
    return shiftedNow();
  };
  const Shifted = new Proxy(RealDate, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [shiftedNow()] : args, newTarget),
    apply: () => new RealDate(shiftedNow()).toString(),
  });
  RealDate.prototype.constructor = Shifted;
  globalThis.Date = Shifted;
}

/**
 * Sends what the bundle prints as messages, so that it arrives before the answer it belongs to.
 * The streams of a worker wait for the parent after each write and lose the rest when it is ended.
 *
 * @param {'stdout' | 'stderr'} stream
 */
function redirect(stream) {
  const decoder = new StringDecoder('utf8');
  /**
   * @param {string | Uint8Array} chunk
   * @param {unknown[]} rest
   */
  const write = (chunk, ...rest) => {
    const text = typeof chunk === 'string' ? chunk : decoder.write(Buffer.from(chunk));
    port?.postMessage({ kind: 'output', stream, text });
    const done = rest.at(-1);
    if (typeof done === 'function') process.nextTick(done);
    return true;
  };
  process[stream].write = write;
}

/** @param {unknown} error */
function describe(error) {
  if (error instanceof Error) {
    return { errorType: error.name, errorMessage: error.message, stack: error.stack ?? '' };
  }
  return { errorType: typeof error, errorMessage: String(error), stack: '' };
}

/**
 * @param {string} errorType
 * @param {string} message
 */
function runtimeError(errorType, message) {
  const error = new Error(message);
  error.name = errorType;
  return error;
}

/** @returns {Promise<Handler>} */
async function loadHandler() {
  const dot = handlerName.lastIndexOf('.');
  const file = join(codeDir, `${handlerName.slice(0, dot)}.mjs`);
  const exportName = handlerName.slice(dot + 1);
  const module = await import(pathToFileURL(file).href).catch((error) => {
    if (error instanceof SyntaxError) error.name = 'Runtime.UserCodeSyntaxError';
    if (error?.code === 'ERR_MODULE_NOT_FOUND') error.name = 'Runtime.ImportModuleError';
    throw error;
  });
  const found = module[exportName];
  if (typeof found !== 'function') {
    throw runtimeError('Runtime.HandlerNotFound', `${handlerName} is undefined or not exported`);
  }
  if (found.length >= 3) {
    throw runtimeError(
      'Runtime.CallbackHandlerDeprecated',
      `${handlerName} takes a callback; Node.js 24 on Lambda runs async handlers only.`,
    );
  }
  return found;
}

/** @param {InvokeMessage} message */
function contextOf(message) {
  const deadline = performance.now() + message.timeoutMs;
  return {
    ...identity,
    awsRequestId: message.requestId,
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => Math.max(0, Math.round(deadline - performance.now())),
  };
}

/** @param {unknown} value */
function serialise(value) {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch (error) {
    throw new Error('Unable to stringify response body', { cause: error });
  }
}

/**
 * @param {Handler} handler
 * @param {InvokeMessage} message
 */
async function answer(handler, message) {
  process.env['_X_AMZN_TRACE_ID'] = message.traceId;
  try {
    const result = await handler(JSON.parse(message.event), contextOf(message));
    return { kind: 'result', payload: serialise(result) };
  } catch (error) {
    return { kind: 'error', ...describe(error) };
  }
}

shiftDate();
redirect('stdout');
redirect('stderr');
try {
  const handler = await loadHandler();
  port.on('message', (/** @type {InvokeMessage | ClockMessage} */ message) => {
    if (message.kind === 'clock') offsetMs = message.offsetMs;
    else void answer(handler, message).then((reply) => port.postMessage(reply));
  });
  port.postMessage({ kind: 'ready' });
} catch (error) {
  port.postMessage({ kind: 'error', ...describe(error) });
}

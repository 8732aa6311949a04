// @ts-check
/**
 * Runs inside one worker thread: loads the deployed bundle and answers one request at a time.
 *
 * Plain JavaScript with no dependencies, because a worker inherits neither tsx nor jest transforms.
 */
import nodeModule from 'node:module';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { StringDecoder } from 'node:string_decoder';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { awslambda, isStreaming, ResponseStream } from './response-stream.mjs';

/**
 * @typedef {{ kind: 'invoke', event: string, requestId: string, traceId: string, timeoutMs: number, isStreamed: boolean }} InvokeMessage
 * @typedef {{ kind: 'clock', offsetMs: number }} ClockMessage
 * @typedef {{ kind: 'read', bytes: number }} ReadMessage
 * @typedef {(event: unknown, ...rest: unknown[]) => unknown} Handler
 */

const { codeDir, handler: handlerName, clockOffsetMs, context: identity } = workerData;
const { selfRoute, compileCacheDir } = workerData;
const port = parentPort;
if (port === null) throw new Error('worker.mjs runs as a worker thread only.');

let offsetMs = clockOffsetMs;
/** The response that is being streamed. @type {ResponseStream | undefined} */
let responseStream;

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

/** Connects to this cloud where a name or an address of the network would not lead back to it. */
function routeToSelf() {
  const connect = Reflect.get(Socket.prototype, 'connect');
  const { from, to } = selfRoute;
  /** @param {unknown} options */
  const isSelf = (options) =>
    typeof options === 'object' &&
    options !== null &&
    'host' in options &&
    'port' in options &&
    options.host === from.host &&
    Number(options.port) === from.port;
  /**
   * @this {Socket}
   * @param {any[]} args
   */
  Socket.prototype.connect = function connectToSelf(...args) {
    // `net.connect` passes its normalised arguments as one array.
    const list = Array.isArray(args[0]) ? args[0] : args;
    // A copy: an agent finds its free sockets by the options that it passed.
    if (isSelf(list[0])) list[0] = { ...list[0], ...to };
    return Reflect.apply(connect, this, args);
  };
}

/** After this time, functions that the first requests needed are compiled too. */
const COMPILED_AFTER_MS = 1500;

/**
 * Uses code that an earlier environment has compiled, and keeps what is compiled anew. Nothing else would write
 * it: a worker that is terminated does not.
 */
function keepCompiledCode() {
  /** Since Node 22.8. @type {{ enableCompileCache?: (dir: string) => void, flushCompileCache?: () => void }} */
  const { enableCompileCache, flushCompileCache } = nodeModule;
  enableCompileCache?.(compileCacheDir);
  if (flushCompileCache !== undefined) setTimeout(flushCompileCache, COMPILED_AFTER_MS).unref();
}

/**
 * Sends the bundle's output as messages, so that it arrives before the response it belongs to.
 * A worker's own streams wait for the parent after each write and lose data when it is terminated.
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
  if (found.length >= 3 && !isStreaming(found)) {
    throw runtimeError(
      'Runtime.CallbackHandlerDeprecated',
      `${handlerName} expects a callback; Node.js 24 on Lambda supports async handlers only.`,
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
    if (isStreaming(handler) !== message.isStreamed) throw mismatch(message.isStreamed);
    if (message.isStreamed) return await stream(handler, message);
    const result = await handler(JSON.parse(message.event), contextOf(message));
    return { kind: 'result', payload: serialise(result) };
  } catch (error) {
    return { kind: 'error', ...describe(error) };
  }
}

/**
 * Lambda would convert between the two modes; no caller here relies on that.
 *
 * @param {boolean} isStreamed
 */
function mismatch(isStreamed) {
  const message = isStreamed
    ? `${handlerName} is called with RESPONSE_STREAM, but is not wrapped by awslambda.streamifyResponse.`
    : `${handlerName} streams its response, but its caller expects a buffered one.`;
  return runtimeError('Runtime.InvalidStreamingOperation', message);
}

/**
 * As on Lambda, a response that is never ended lasts until the timeout.
 *
 * @param {Handler} handler
 * @param {InvokeMessage} message
 */
async function stream(handler, message) {
  const out = new ResponseStream((slice) => port?.postMessage(slice, [slice.bytes.buffer]));
  // A handler may destroy the stream with an error and not listen for it.
  const isFinished = finished(out);
  isFinished.catch(() => undefined);
  responseStream = out;
  try {
    const result = await handler(JSON.parse(message.event), out, contextOf(message));
    if (result !== undefined) console.warn('Streaming handlers ignore return values.');
    await isFinished;
    return { kind: 'result', payload: 'null' };
  } finally {
    out.destroy();
    responseStream = undefined;
  }
}

Object.assign(globalThis, { awslambda });
shiftDate();
if (selfRoute !== undefined) routeToSelf();
if (compileCacheDir !== undefined) keepCompiledCode();
redirect('stdout');
redirect('stderr');
try {
  const handler = await loadHandler();
  port.on('message', (/** @type {InvokeMessage | ClockMessage | ReadMessage} */ message) => {
    if (message.kind === 'clock') offsetMs = message.offsetMs;
    else if (message.kind === 'read') responseStream?.onRead(message.bytes);
    else void answer(handler, message).then((reply) => port.postMessage(reply));
  });
  port.postMessage({ kind: 'ready' });
} catch (error) {
  port.postMessage({ kind: 'error', ...describe(error) });
}

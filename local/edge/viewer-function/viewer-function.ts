import { createContext, Script } from 'node:vm';
import * as z from 'zod';
import type { HttpRequest, HttpResponse, Resource } from '../../http/http.ts';
import { noDifference, propertiesOf, refuse } from '../resource-schema.ts';
import { functionEvent, type FunctionRequest } from './viewer-function-event.ts';
import {
  GeneratedResponse,
  InvalidFunctionResultError,
  RewrittenRequest,
  requestAfter,
  responseOf,
} from './viewer-function-result.ts';

/** What a viewer-request function decided: another request, or an answer of its own. */
type FunctionOutcome =
  | { kind: 'request'; request: HttpRequest }
  | { kind: 'response'; response: HttpResponse }
  /** The function threw, did not end or returned nonsense: CloudFront answers 503. */
  | { kind: 'failed'; reason: string }
  /** The function touched a header that is not its own: CloudFront answers 502. */
  | { kind: 'invalid'; reason: string };

/** A viewer-request function, compiled once. */
export interface ViewerFunction {
  run(
    request: HttpRequest,
    context: { distributionId: string; requestId: string },
  ): FunctionOutcome;
}

const MAX_CODE_BYTES = 10_240;
/** CloudFront allows about a millisecond of computing; this only stops a loop without end. */
const TIMEOUT_MS = 3000;

const Properties = z.strictObject({
  Name: noDifference,
  Tags: noDifference,
  FunctionMetadata: noDifference,
  AutoPublish: z.boolean().default(false),
  FunctionCode: z.string(),
  FunctionConfig: z.strictObject({
    Comment: noDifference,
    Runtime: z.literal('cloudfront-js-2.0'),
    KeyValueStoreAssociations: z.array(z.unknown()).max(0, 'key value stores').optional(),
  }),
});

const Outcome = z.union([
  z.strictObject({ error: z.string() }),
  z.strictObject({ value: GeneratedResponse }),
  z.strictObject({ value: RewrittenRequest }),
]);

/** `console` is made inside: an object of ours in there would lead out to Node through its constructor. */
const prelude = new Script('var console = { log() {} }; delete globalThis.WebAssembly;');

/**
 * Calls `handler` inside the context; the microtask queue is drained before `runInContext` returns.
 *
 * The call is not made from a promise: Node 20 aborts when a timeout ends a promise job.
 */
const invocation = new Script(`{
  const done = (value) => { edgeOutput = JSON.stringify({ value }); };
  const failed = (error) => { edgeOutput = JSON.stringify({ error: String(error) }); };
  const returned = handler(JSON.parse(edgeInput));
  if (returned instanceof Promise) returned.then(done, failed);
  else done(returned);
}`);

/**
 * Reads and compiles an `AWS::CloudFront::Function`.
 *
 * Every run gets a fresh global object with the language's own globals, `console` and nothing else: no
 * require, process, timers or network, and nothing that one request could leave behind for the next.
 * Missing against CloudFront: `Buffer`, `atob`, `btoa` and the modules `crypto`, `querystring`, `cloudfront`.
 */
export function viewerFunction(resource: Resource): ViewerFunction {
  const { FunctionCode: code, AutoPublish } = propertiesOf(resource, Properties);
  if (!AutoPublish) refuse(resource, 'AutoPublish', 'must be true: only a published function runs');
  if (Buffer.byteLength(code) > MAX_CODE_BYTES) {
    refuse(resource, 'FunctionCode', `is longer than CloudFront's ${MAX_CODE_BYTES} bytes`);
  }
  const script = compile(resource, code);
  return {
    run(request, context) {
      const event = functionEvent(request, context);
      const output = runScript(script, JSON.stringify(event));
      if ('error' in output) return { kind: 'failed', reason: output.error };
      return outcomeOf(output.json, request, event.request);
    },
  };
}

function compile(resource: Resource, code: string): Script {
  try {
    return new Script(code, { filename: `${resource.logicalId}.js` });
  } catch (error) {
    return refuse(resource, 'FunctionCode', `does not compile: ${String(error)}`);
  }
}

function runScript(script: Script, input: string): { json: unknown } | { error: string } {
  const sandbox: Record<string, unknown> = Object.create(null);
  sandbox['edgeInput'] = input;
  const context = createContext(sandbox, {
    codeGeneration: { strings: false, wasm: false },
    microtaskMode: 'afterEvaluate',
  });
  try {
    prelude.runInContext(context);
    script.runInContext(context, { timeout: TIMEOUT_MS });
    invocation.runInContext(context, { timeout: TIMEOUT_MS });
  } catch (error) {
    return { error: String(error) };
  }
  const output = sandbox['edgeOutput'];
  if (typeof output !== 'string') return { error: 'the function did not end' };
  return { json: JSON.parse(output) };
}

function outcomeOf(json: unknown, request: HttpRequest, before: FunctionRequest): FunctionOutcome {
  const parsed = Outcome.safeParse(json);
  if (!parsed.success)
    return { kind: 'failed', reason: 'the function returned no request or response' };
  if ('error' in parsed.data) return { kind: 'failed', reason: parsed.data.error };
  try {
    const { value } = parsed.data;
    return 'statusCode' in value
      ? { kind: 'response', response: responseOf(value) }
      : { kind: 'request', request: requestAfter(request, before, value) };
  } catch (error) {
    if (error instanceof InvalidFunctionResultError)
      return { kind: 'invalid', reason: error.message };
    throw error;
  }
}

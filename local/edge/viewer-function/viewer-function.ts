import { Script } from 'node:vm';
import * as z from 'zod';
import type { HttpRequest, HttpResponse } from '../../http/http.ts';
import {
  type EventValue,
  type FunctionContext,
  functionEvent,
  type FunctionRequest,
  isHiddenHeader,
} from './viewer-function-event.ts';
import { failoverStatuses, type OriginGroup } from '../distribution.ts';
import { type Output, sandboxFor, withoutImport } from './sandbox.ts';
import {
  GeneratedResponse,
  InvalidFunctionResultError,
  requestAfter,
  responseOf,
  RewrittenRequest,
  toBody,
} from './viewer-function-result.ts';
import {
  ignored,
  parseProperties,
  rejectProperty,
  type Resource,
} from '../../assembly/resource.ts';

/** The outcome of a viewer-request function: a request to continue with, or a response. */
type FunctionOutcome =
  | { kind: 'request'; request: HttpRequest; originGroup: OriginGroup | undefined }
  | { kind: 'response'; response: HttpResponse }
  /** The function threw, did not end or returned an invalid value: CloudFront answers 503. */
  | { kind: 'failed'; reason: string }
  /** The function changed a read-only header: CloudFront answers 502. */
  | { kind: 'invalid'; reason: string };

/** What `cf.createRequestOriginGroup` is called with. */
const RequestOriginGroup = z.strictObject({
  originIds: z.array(z.strictObject({ originId: z.string() })).length(2),
  failoverCriteria: z.strictObject({
    statusCodes: z.array(z.literal(failoverStatuses)).nonempty(),
  }),
});

/** A viewer-request or viewer-response function, compiled once. */
export interface ViewerFunction {
  run(request: HttpRequest, context: FunctionContext): FunctionOutcome;
  /** Runs for the response to a viewer, whose origin answered with a status below 400. */
  runForResponse(
    request: HttpRequest,
    response: HttpResponse,
    context: FunctionContext,
  ): Exclude<FunctionOutcome, { kind: 'request' }>;
}

const MAX_CODE_BYTES = 10_240;

const Properties = z.strictObject({
  Name: ignored,
  Tags: ignored,
  FunctionMetadata: ignored,
  AutoPublish: z.boolean().default(false),
  FunctionCode: z.string(),
  FunctionConfig: z.strictObject({
    Comment: ignored,
    Runtime: z.literal('cloudfront-js-2.0'),
    KeyValueStoreAssociations: z.array(z.unknown()).max(0, 'key value stores').optional(),
  }),
});

const Failed = z.strictObject({ error: z.string() });
const Generated = z.strictObject({ value: GeneratedResponse, originGroup: ignored });
const Rewritten = z.strictObject({
  value: RewrittenRequest,
  originGroup: RequestOriginGroup.optional(),
});

function hasField<K extends string>(value: unknown, name: K): value is Record<K, unknown> {
  return typeof value === 'object' && value !== null && name in value;
}

/**
 * Chooses the schema by one field: the error of a union would first say why a request is not a
 * response.
 */
function outcomeSchema(json: unknown) {
  if (hasField(json, 'error')) return Failed;
  return hasField(json, 'value') && hasField(json.value, 'statusCode') ? Generated : Rewritten;
}

/**
 * Parses and compiles an `AWS::CloudFront::Function`.
 *
 * Every run sees the language's own globals and `console` only: no `require`, process, timers or
 * network, and no state that one request could leave for the next.
 * Missing compared with CloudFront: `Buffer`, `atob`, `btoa`, the modules `crypto` and `querystring`, and of
 * the module `cloudfront` everything but `createRequestOriginGroup` and `distributionTenant`.
 */
export function viewerFunction(resource: Resource): ViewerFunction {
  const { FunctionCode: code, AutoPublish } = parseProperties(resource, Properties);
  if (!AutoPublish)
    rejectProperty(resource, 'AutoPublish', 'must be true: only a published function runs');
  if (Buffer.byteLength(code) > MAX_CODE_BYTES) {
    rejectProperty(resource, 'FunctionCode', `is longer than CloudFront's ${MAX_CODE_BYTES} bytes`);
  }
  const runCode = compile(resource, code);
  return {
    run(request, context) {
      const event = functionEvent(request, context);
      const output = runCode(JSON.stringify({ event, tenant: context.tenant }));
      if ('error' in output) return { kind: 'failed', reason: output.error };
      return outcomeOf(output.json, request, event.request);
    },
    runForResponse(request, response, context) {
      const event = responseEvent(request, response, context);
      const output = runCode(JSON.stringify({ event, tenant: context.tenant }));
      return 'error' in output
        ? { kind: 'failed', reason: output.error }
        : responseOutcome(output.json, response);
    },
  };
}

function responseOutcome(
  json: unknown,
  response: HttpResponse,
): Exclude<FunctionOutcome, { kind: 'request' }> {
  const thrown = Failed.safeParse(json);
  if (thrown.success) return { kind: 'failed', reason: thrown.data.error };
  const parsed = z.object({ value: ChangedResponse }).safeParse(json);
  if (!parsed.success) return { kind: 'failed', reason: z.prettifyError(parsed.error) };
  return orInvalid(() => ({
    kind: 'response',
    response: responseAfter(response, parsed.data.value),
  }));
}

/** A change that CloudFront refuses is an outcome of its own. */
function orInvalid<T>(make: () => T): T | { kind: 'invalid'; reason: string } {
  try {
    return make();
  } catch (error) {
    if (error instanceof InvalidFunctionResultError)
      return { kind: 'invalid', reason: error.message };
    throw error;
  }
}

/** Compiles the code without its wrapper first, so that only a complete script is accepted. */
function compile(resource: Resource, code: string): (input: string) => Output {
  const filename = `${resource.logicalId}.js`;
  try {
    Reflect.construct(Script, [withoutImport(code), { filename }]);
    return sandboxFor(code, filename);
  } catch (error) {
    return rejectProperty(resource, 'FunctionCode', `does not compile: ${String(error)}`);
  }
}

function outcomeOf(json: unknown, request: HttpRequest, before: FunctionRequest): FunctionOutcome {
  const parsed = outcomeSchema(json).safeParse(json);
  if (!parsed.success)
    return { kind: 'failed', reason: 'the function returned no request or response' };
  if ('error' in parsed.data) return { kind: 'failed', reason: parsed.data.error };
  const { value, originGroup } = parsed.data;
  return orInvalid<FunctionOutcome>(() =>
    'statusCode' in value
      ? { kind: 'response', response: responseOf(value) }
      : {
          kind: 'request',
          request: requestAfter(request, before, value),
          originGroup: RequestOriginGroup.optional().parse(originGroup),
        },
  );
}

/** Headers that a viewer-response function may read but not change. */
const READ_ONLY = ['via', 'warning'];

type Headers = Record<string, EventValue>;

/** Headers that a function sees: cookies are apart, and some are hidden from it. */
function visibleHeaders({ headers }: HttpResponse): Headers {
  const entries = Object.entries(headers)
    .filter(([name]) => name !== 'set-cookie' && !isHiddenHeader(name))
    .map(([name, value]): [string, EventValue] => {
      const [first = '', ...more] = [value].flat();
      const all = [first, ...more].map((one) => ({ value: one }));
      return [name, more.length === 0 ? { value: first } : { value: first, multiValue: all }];
    });
  return Object.fromEntries(entries);
}

/** The event of a viewer-response function. Cookies of the response are not in it. */
function responseEvent(request: HttpRequest, response: HttpResponse, context: FunctionContext) {
  const event = functionEvent(request, context);
  return {
    ...event,
    context: { ...event.context, eventType: 'viewer-response' },
    response: { statusCode: response.status, headers: visibleHeaders(response), cookies: {} },
  };
}

/** A result: without a `body`, the body of the origin stays. */
const ChangedResponse = GeneratedResponse.extend({
  cookies: z.strictObject({}, 'changing cookies of a response is not supported').default({}),
});

/**
 * The response to the viewer after the function.
 * @throws InvalidFunctionResultError for a header that it must not change or add: CloudFront answers 502
 */
function responseAfter(
  original: HttpResponse,
  changed: z.output<typeof ChangedResponse>,
): HttpResponse {
  const before = visibleHeaders(original);
  const after = changed.headers;
  for (const name of READ_ONLY) {
    if (before[name]?.value !== after[name]?.value)
      throw new InvalidFunctionResultError(`changed header ${name}`);
  }
  const headers = Object.fromEntries(
    Object.entries(original.headers).filter(
      ([name]) => name === 'set-cookie' || isHiddenHeader(name),
    ),
  );
  for (const [name, { value, multiValue }] of Object.entries(after)) {
    if (isHiddenHeader(name)) throw new InvalidFunctionResultError(`answered with header ${name}`);
    headers[name] = multiValue === undefined ? value : multiValue.map((item) => item.value);
  }
  if (changed.body === undefined)
    return { status: changed.statusCode, headers, body: original.body };
  const body = toBody(changed.body);
  headers['content-length'] = String(body.byteLength);
  return { status: changed.statusCode, headers, body };
}

import type { APIGatewayProxyResult } from 'aws-lambda';
import * as z from 'zod';
import { type Auth, isCalledWithKey, type Operation } from '../../contract/operation.ts';
import { requireKeyProject } from '../../core/accounts/keys/permissions.ts';
import { describeIssue } from '../../core/describe-issue.ts';
import { respondIdempotently } from './respond-idempotently.ts';
import type { ApiRequest } from './api-request.ts';
import { fileResponse, jsonResponse } from './api-response.ts';
import { type CallerOf, identifyCaller, limitAnswer } from './authorize.ts';
import { invalidFieldsOf, invalidInput, unknownField } from './invalid-input.ts';
import { isJson, readJson } from './request-body.ts';
import { readForm } from './multipart.ts';
import { isPlainFile, plainFileStep, readPlainFile } from './plain-file.ts';

/** The output of an operation whose response is not JSON. */
const Content = z.union([z.string(), z.instanceof(Uint8Array)]);

/** One route of a function, and its implementation. */
export interface Binding {
  /**
   * A GET also serves HEAD, which must change nothing. `ANY` serves all methods without a binding
   * of their own.
   */
  method: string;
  route: string;
  /** True if pages of other origins may call the route (CORS). Holds for all methods of the route. */
  allowsAnyOrigin?: boolean;
  /** True for an operation of the contract: its errors are JSON, for browsers too. */
  isOperation?: boolean;
  serve(request: ApiRequest): Promise<APIGatewayProxyResult>;
}

/** The parts that a use case may add to the response of an operation. */
export interface Reply<M extends string> {
  /** The media type of the output, one of the operation's. Default: the first one. */
  mediaType: M | undefined;
  /** Added to the headers of the response. */
  headers: Record<string, string>;
  cookies: readonly string[];
}

/** A use case as a binding calls it; its parameters and result follow from the operation. */
type Run<I extends z.ZodObject, O extends z.ZodType, A extends Auth, M extends string> = (
  caller: CallerOf[A],
  input: z.infer<I>,
  reply: Reply<M>,
) => z.input<O> | Promise<z.input<O>>;

/**
 * Binds an operation to its use case. Fields that the operation's output does not name are removed.
 * `admit` checks a caller before the body is read, for example a rate limit.
 */
export function bind<I extends z.ZodObject, O extends z.ZodType, A extends Auth, M extends string>(
  operation: Operation<I, O, A, M>,
  run: Run<I, O, A, M>,
  { admit }: { admit?: (caller: CallerOf[A]) => Promise<void> } = {},
): Binding {
  return {
    method: operation.method,
    route: operation.path,
    allowsAnyOrigin: isCalledWithKey(operation),
    isOperation: true,
    async serve(request) {
      const { caller, scope } = await identifyCaller(operation, request);
      await admit?.(caller);
      const input = await inputOf(operation, request);
      requireKeyProject(operation, caller, input);
      return respondIdempotently(operation, request, { scope, input }, async () => {
        const mediaType = operation.mediaTypes?.[0];
        const reply: Reply<M> = { mediaType, headers: {}, cookies: [] };
        const output = operation.output.parse(await run(caller, input, reply));
        const response = operationResponse(operation, output, reply, request.caller.requestId);
        await limitAnswer(caller, Buffer.byteLength(response.body));
        return response;
      });
    },
  };
}

function operationResponse(
  { status, envelope }: Operation,
  output: unknown,
  { mediaType, headers, cookies }: Reply<string>,
  requestId: string,
): APIGatewayProxyResult {
  if (mediaType !== undefined) {
    const content = Content.parse(output);
    return fileResponse(status, { mediaType, content, headers }, requestId);
  }
  const body = envelope === 'data' ? { status: 'success', data: output } : output;
  const response = jsonResponse(status, body, requestId, headers);
  if (cookies.length === 0) return response;
  return { ...response, multiValueHeaders: { 'set-cookie': [...cookies] } };
}

/**
 * Reads and checks the input of an operation.
 * @throws CodedError the operation's `invalid`, UNSUPPORTED_MEDIA_TYPE, TOO_MANY_FILES
 */
export async function inputOf<I extends z.ZodObject, O extends z.ZodType>(
  operation: Operation<I, O>,
  request: ApiRequest,
): Promise<z.infer<I>> {
  const parsed = operation.input.safeParse(await readInput(operation, request), {
    error: describeIssue,
  });
  if (parsed.success) return parsed.data;
  throw invalidInput(operation.invalid, invalidFieldsOf(parsed.error.issues));
}

async function readInput(operation: Operation, request: ApiRequest): Promise<object> {
  const { query, pathParameters } = request;
  if (operation.body === 'none') return { ...query, ...pathParameters };
  const body = await readBody(operation, request);
  // Path parameters must not be repeated in the body. The query is ignored if there is a body.
  const repeatedNames = Object.keys(pathParameters).filter((name) => Object.hasOwn(body, name));
  if (repeatedNames.length > 0)
    throw invalidInput(operation.invalid, repeatedNames.map(unknownField));
  return { ...body, ...pathParameters };
}

async function readBody(operation: Operation, request: ApiRequest): Promise<object> {
  const contentType = request.headers['content-type'];
  if (operation.body === 'json' || isJson(contentType)) {
    return readJson(request.body, contentType, operation);
  }
  const takesPlainFile = operation.takesPlainFile === true;
  if (takesPlainFile && isPlainFile(request)) return readPlainFile(request);
  return readForm(request.body, contentType, takesPlainFile ? plainFileStep : undefined);
}

import type { APIGatewayProxyResult } from 'aws-lambda';
import * as z from 'zod';
import {
  type Auth,
  isCalledWithKey,
  neededPermissions,
  type Operation,
} from '../../contract/operation.ts';
import { requireKeyProject } from '../../core/accounts/keys/permissions.ts';
import { describeIssue } from '../../core/describe-issue.ts';
import type { ApiRequest } from './api-request.ts';
import { errorResponse, fileResponse, jsonResponse } from './api-response.ts';
import { type CallerOf, identifyCaller, limitAnswer } from './authorize.ts';
import { invalidFieldsOf, invalidInput, unknownField } from './invalid-input.ts';
import { isJson, readJson } from './request-body.ts';
import { readForm } from './multipart.ts';
import { CodedError, invalidField } from '../../core/errors.ts';
import type { MaybeAccountCaller } from '../../core/caller.ts';
import type { StoredResponse } from '../../core/idempotency/response-store.ts';
import { freeAnswerBytes } from '../../core/limits/answered-bytes.ts';
import { runIdempotent } from '../../core/idempotency/run-idempotent.ts';
import { idempotencyServices } from '../shared/idempotency-services.ts';
import type { UploadedFile } from '../../contract/fields.ts';
import { nameForContent } from '../../core/content/name-content.ts';

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
      return respondIdempotently(operation, request, { caller, scope, input }, async () => {
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

/**
 * Returns the response of `work`. A repeated write with the same `Idempotency-Key` gets the stored response.
 * Errors before this point (credential, malformed body) are not stored: repeating the request repeats them.
 * @throws CodedError INVALID_REQUEST or VALIDATION_FAILED, IDEMPOTENCY_CONFLICT
 */
async function respondIdempotently(
  operation: Operation,
  request: ApiRequest,
  { caller, scope, input }: { caller: MaybeAccountCaller; scope: string; input: object },
  work: () => Promise<APIGatewayProxyResult>,
): Promise<APIGatewayProxyResult> {
  const { id, method, invalid } = operation;
  const key = request.headers['idempotency-key'];
  if (key === undefined || method === 'GET') return work();
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) throw malformedKey(invalid);
  const { requestId } = request.caller;
  // Without an account, nobody's bytes are counted.
  const maxBodyBytes = caller.account === undefined ? freeAnswerBytes : undefined;
  const deps = { ...idempotencyServices(), remainingMs: () => request.remainingMs() };
  const { response, replayed } = await runIdempotent(
    deps,
    { operation: id, scope, key, input, changesNothing: changesNothing(operation), maxBodyBytes },
    () =>
      work().then(toStoredResponse, (error: unknown) =>
        toStoredResponse(errorResponse(error, requestId)),
      ),
  );
  if (replayed) await limitAnswer(caller, Buffer.byteLength(response.body));
  return {
    statusCode: response.status,
    headers: {
      ...response.headers,
      'x-request-id': requestId,
      ...(replayed ? { 'idempotency-replayed': 'true' } : {}),
    },
    ...(response.cookies !== undefined && {
      multiValueHeaders: { 'set-cookie': response.cookies },
    }),
    body: response.body,
  };
}

/** Whether the operation only reads, perhaps with paths in its body. */
function changesNothing(operation: Operation): boolean {
  const { auth } = operation;
  const needed = neededPermissions(operation);
  return auth === 'key' && needed.every((permission) => permission.endsWith(':read'));
}

function toStoredResponse({
  statusCode,
  headers = {},
  multiValueHeaders = {},
  body,
}: APIGatewayProxyResult): StoredResponse {
  const cookies = multiValueHeaders['set-cookie']?.map(String);
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return {
    status: statusCode,
    headers: Object.fromEntries(texts),
    ...(cookies !== undefined && { cookies }),
    body,
  };
}

function malformedKey(code: Operation['invalid'] = 'INVALID_REQUEST'): CodedError {
  return invalidField('Idempotency-Key', 'must be 1 to 255 visible ASCII characters', { code });
}

/** The next step for a body of a wrong type, if a plain file is accepted too. */
const plainFileStep =
  'Send one file as the plain body with curl -T FILE, or several as multipart/form-data in the field `files` (curl -X PUT -F files=@FILE). The link is not used up.';

type FileRequest = Pick<ApiRequest, 'headers' | 'body'>;

/** Whether the body is one file. The edge gives such a body this type (`app-viewer-request.js`). */
function isPlainFile({ headers }: Pick<ApiRequest, 'headers'>): boolean {
  return /^application\/octet-stream\s*(?:;|$)/i.test(headers['content-type'] ?? '');
}

/**
 * A body that is one file, as the fields of a form.
 * @throws CodedError INVALID_REQUEST
 */
export function readPlainFile({ headers, body }: FileRequest): { files: UploadedFile[] } {
  if (body.length === 0) {
    throw invalidField('body', 'is empty; send a file, for example with curl -T FILE');
  }
  const contentType = (headers['x-slipway-file-type'] ?? '').toLowerCase();
  const name = sentName(headers) ?? nameForContent(body, contentType);
  return { files: [{ name, contentType, bytes: body }] };
}

/** The last part of the URL, `X-Filename`, or the name of a `Content-Disposition` (RFC 6266, RFC 8187). */
function sentName(headers: FileRequest['headers']): string | undefined {
  const disposition = asUtf8(headers['content-disposition'] ?? '');
  const encoded = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(disposition)?.[1];
  const [, quoted, token] =
    /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s"]+))/i.exec(disposition) ?? [];
  const plain = quoted?.replaceAll(/\\(.)/g, '$1') ?? token;
  const sent = asUtf8(headers['x-filename'] ?? '');
  const names = [headers['x-slipway-file-name'], sent, encoded].map(decoded);
  return [...names, plain].find((name) => name !== undefined && name.trim() !== '');
}

/**
 * The text of a header whose bytes are UTF-8. The header has one character for each byte (RFC 9110
 * §5.5). Bytes that are not UTF-8 stay Latin-1.
 */
function asUtf8(text: string): string {
  if (/[^\0-\u00FF]/.test(text)) return text;
  try {
    return utf8.decode(Buffer.from(text, 'latin1'));
  } catch {
    return text;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes percent-encoded text; returns other text unchanged. */
function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return text;
  }
}

import type { APIGatewayProxyResult } from 'aws-lambda';
import type * as z from 'zod';
import type { Operation } from '../../contract/operation.ts';
import type { AccountCaller, Caller } from '../../core/caller.ts';
import { CodedError } from '../../core/errors.ts';
import { callerKey } from '../../core/limits/caller-key.ts';
import { answerRepeatably } from './answer-repeatably.ts';
import type { ApiRequest } from './api-request.ts';
import { jsonResponse } from './api-response.ts';
import { readJson } from './json-body.ts';
import { readForm } from './multipart.ts';
import { signedIn } from './sign-in.ts';

/** One route of a function and what serves it. */
export interface Binding {
  method: string;
  route: string;
  serve(request: ApiRequest): Promise<APIGatewayProxyResult>;
}

/** A use case, as a binding calls it. */
interface UseCase<C, I extends z.ZodObject, O extends z.ZodType> {
  run(caller: C, input: z.infer<I>): Promise<z.input<O>>;
}

/** For callers without a key. */
interface OpenUseCase<I extends z.ZodObject, O extends z.ZodType> extends UseCase<Caller, I, O> {
  /** Called before anything of the body is read. */
  admit?(caller: Caller): Promise<void>;
}

/** For callers with a key. */
interface KeyUseCase<I extends z.ZodObject, O extends z.ZodType>
  extends UseCase<AccountCaller, I, O> {
  /** False where a call must change nothing, not even the key's expiry. */
  renewsKey?: boolean;
}

/** Joins an operation that needs no key to its use case. */
export function bind<I extends z.ZodObject, O extends z.ZodType>(
  operation: Operation<I, O>,
  useCase: OpenUseCase<I, O>,
): Binding {
  return binding(operation, 'none', useCase, async ({ caller }) => {
    await useCase.admit?.(caller);
    return { caller, scope: callerKey(caller.address) };
  });
}

/** Joins an operation that needs a key to its use case; who calls is known before the body is read. */
export function bindWithKey<I extends z.ZodObject, O extends z.ZodType>(
  operation: Operation<I, O>,
  useCase: KeyUseCase<I, O>,
): Binding {
  return binding(operation, 'key', useCase, async (request) => {
    const caller = await signedIn(request, useCase.renewsKey ?? true);
    return { caller, scope: caller.account.id };
  });
}

/** Who calls, and whose Idempotency-Keys theirs are. */
interface Identified<C> {
  caller: C;
  scope: string;
}

/** The output is reduced to what the operation names. */
function binding<C, I extends z.ZodObject, O extends z.ZodType>(
  operation: Operation<I, O>,
  auth: Operation['auth'],
  useCase: UseCase<C, I, O>,
  identify: (request: ApiRequest) => Promise<Identified<C>>,
): Binding {
  if (operation.auth !== auth) throw new Error(`${operation.id} needs ${operation.auth}`);
  return {
    method: operation.method,
    route: operation.path,
    async serve(request) {
      const { caller, scope } = await identify(request);
      const input = await inputOf(operation, request);
      return answerRepeatably(operation, request, { scope, input }, async () => {
        const output = operation.output.parse(await useCase.run(caller, input));
        const body = operation.envelope === 'data' ? { status: 'success', data: output } : output;
        return jsonResponse(operation.status, body, request.caller.requestId);
      });
    },
  };
}

/**
 * The input of an operation as it was sent.
 * @throws CodedError INVALID_REQUEST, UNSUPPORTED_MEDIA_TYPE, TOO_MANY_FILES
 */
export async function inputOf<I extends z.ZodObject, O extends z.ZodType>(
  operation: Operation<I, O>,
  request: ApiRequest,
): Promise<z.infer<I>> {
  return parseInput(operation, await readInput(operation, request));
}

async function readInput(operation: Operation, request: ApiRequest): Promise<object> {
  const flat = { ...request.query, ...request.pathParameters };
  if (operation.body === 'none') return flat;
  const contentType = request.headers['content-type'];
  const body =
    operation.body === 'json'
      ? readJson(request.body, contentType)
      : await readForm(request.body, contentType);
  // What a body says is not overruled by the query.
  return { ...body, ...request.pathParameters };
}

function parseInput<I extends z.ZodObject, O extends z.ZodType>(
  operation: Operation<I, O>,
  input: object,
): z.infer<I> {
  const parsed = operation.input.safeParse(input);
  if (parsed.success) return parsed.data;
  const details = parsed.error.issues.map(({ path, message }) => ({
    path: path.join('.') || 'body',
    message,
  }));
  const [first] = details;
  throw new CodedError('INVALID_REQUEST', {
    error: first === undefined ? 'The request is not valid.' : `${first.path}: ${first.message}`,
    details,
  });
}

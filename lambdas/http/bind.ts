import type { APIGatewayProxyResult } from 'aws-lambda';
import type * as z from 'zod';
import { isCalledWithKey, type Operation } from '../../contract/operation.ts';
import type { Caller, KeyCaller, MaybeAccountCaller, OwnerCaller } from '../../core/caller.ts';
import { describeIssue } from '../../core/describe-issue.ts';
import { callerKey } from '../../core/limits/caller-key.ts';
import { respondIdempotently } from './respond-idempotently.ts';
import type { ApiRequest } from './api-request.ts';
import { jsonResponse } from './api-response.ts';
import { invalidFieldsOf, invalidInput, unknownField } from './invalid-input.ts';
import { isJson, readJson } from './request-body.ts';
import { readForm } from './multipart.ts';
import { isPlainFile, plainFileStep, readPlainFile } from './plain-file.ts';
import { authorizeKey, authorizeOwner, isInSession, requirePlan } from './authorize.ts';

/** One route of a function, and its implementation. */
export interface Binding {
  /** A GET also serves HEAD, which must change nothing. `ANY` serves the methods that no other binding of the route has. */
  method: string;
  route: string;
  /** True if pages of other origins may call the route (CORS). Holds for all methods of the route. */
  allowsAnyOrigin?: boolean;
  /** True for an operation of the contract: everybody gets its errors as JSON, browsers too. */
  isOperation?: boolean;
  serve(request: ApiRequest): Promise<APIGatewayProxyResult>;
}

/** A use case, as a binding calls it. */
export interface UseCase<C, I extends z.ZodObject, O extends z.ZodType> {
  run(caller: C, input: z.infer<I>): Promise<z.input<O>>;
}

/** A use case that needs no key. */
interface OpenUseCase<I extends z.ZodObject, O extends z.ZodType> extends UseCase<Caller, I, O> {
  /** Checks a caller before the body is read, for example a rate limit. */
  admit?(caller: Caller): Promise<void>;
}

/** Binds an operation that needs no key to its use case. */
export function bind<I extends z.ZodObject, O extends z.ZodType>(
  operation: Operation<I, O>,
  useCase: OpenUseCase<I, O>,
): Binding {
  return binding(operation, 'none', {
    async identify({ caller }) {
      await useCase.admit?.(caller);
      return { caller, scope: callerKey(caller.address) };
    },
    runUseCase: outputOf(useCase),
  });
}

/** Binds an operation that needs a key or a browser session. It is checked with the plan before the body is read. */
export function bindWithKey<I extends z.ZodObject, O extends z.ZodType>(
  operation: Operation<I, O>,
  useCase: UseCase<OwnerCaller, I, O>,
): Binding {
  return binding(operation, 'key', {
    async identify(request) {
      const caller = await authorizeOwner(request, operation);
      requirePlan(operation, caller);
      return { caller, scope: caller.account.id };
    },
    runUseCase: outputOf(useCase),
  });
}

/** Binds an operation about the key itself. It needs a key, and does not renew it. */
export function bindKeyCheck<I extends z.ZodObject, O extends z.ZodType>(
  operation: Operation<I, O>,
  useCase: UseCase<KeyCaller, I, O>,
): Binding {
  return binding(operation, 'key-only', {
    async identify(request) {
      const caller = await authorizeKey(request, false);
      return { caller, scope: caller.account.id };
    },
    runUseCase: outputOf(useCase),
  });
}

/** Binds an operation with an optional key or session: without one the caller is anonymous, but one that is sent must be valid. */
export function bindWithOptionalKey<I extends z.ZodObject, O extends z.ZodType>(
  operation: Operation<I, O>,
  useCase: UseCase<MaybeAccountCaller, I, O>,
): Binding {
  return binding<MaybeAccountCaller, I, O>(operation, 'optional', {
    async identify(request): Promise<IdentifiedCaller<MaybeAccountCaller>> {
      if (request.headers['authorization'] === undefined && !isInSession(request)) {
        const { caller } = request;
        return { caller, scope: callerKey(caller.address) };
      }
      const caller = await authorizeOwner(request, operation);
      return { caller, scope: caller.account.id };
    },
    runUseCase: outputOf(useCase),
  });
}

/** The caller, and the scope in which their Idempotency-Keys are unique. */
export interface IdentifiedCaller<C> {
  caller: C;
  scope: string;
}

/** The output of a use case, and cookies to set. */
export interface UseCaseResult<O extends z.ZodType> {
  output: z.input<O>;
  cookies?: readonly string[];
}

/** The two steps of serving an operation. */
interface OperationHandler<C, I extends z.ZodObject, O extends z.ZodType> {
  /** Finds out who calls. Runs before the body is read. */
  identify(request: ApiRequest): Promise<IdentifiedCaller<C>>;
  runUseCase(caller: C, input: z.infer<I>): Promise<UseCaseResult<O>>;
}

function outputOf<C, I extends z.ZodObject, O extends z.ZodType>(useCase: UseCase<C, I, O>) {
  return async (caller: C, input: z.infer<I>): Promise<UseCaseResult<O>> => ({
    output: await useCase.run(caller, input),
  });
}

/** The binding of an operation. Fields that the operation's output does not name are removed. */
export function binding<C, I extends z.ZodObject, O extends z.ZodType>(
  operation: Operation<I, O>,
  auth: Operation['auth'],
  handler: OperationHandler<C, I, O>,
): Binding {
  if (operation.auth !== auth) throw new Error(`${operation.id} needs ${operation.auth}`);
  return {
    method: operation.method,
    route: operation.path,
    allowsAnyOrigin: isCalledWithKey(operation),
    isOperation: true,
    async serve(request) {
      const { caller, scope } = await handler.identify(request);
      const input = await inputOf(operation, request);
      return respondIdempotently(operation, request, { scope, input }, async () => {
        const result = await handler.runUseCase(caller, input);
        const output = operation.output.parse(result.output);
        const body = operation.envelope === 'data' ? { status: 'success', data: output } : output;
        const response = jsonResponse(operation.status, body, request.caller.requestId);
        const { cookies = [] } = result;
        if (cookies.length === 0) return response;
        return { ...response, multiValueHeaders: { 'set-cookie': [...cookies] } };
      });
    },
  };
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

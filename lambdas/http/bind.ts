import type { APIGatewayProxyResult } from 'aws-lambda';
import type * as z from 'zod';
import type { Operation } from '../../contract/operation.ts';
import type { Caller, KeyCaller, MaybeAccountCaller } from '../../core/caller.ts';
import { callerKey } from '../../core/limits/caller-key.ts';
import { answerRepeatably } from './answer-repeatably.ts';
import type { ApiRequest } from './api-request.ts';
import { jsonResponse } from './api-response.ts';
import { fieldsOf, invalidInput, unknownField } from './invalid-input.ts';
import { isJson, readJson } from './json-body.ts';
import { readForm } from './multipart.ts';
import { requirePlan, signedIn } from '../accounts/sign-in.ts';

/** One route of a function and what serves it. */
export interface Binding {
  method: string;
  route: string;
  serve(request: ApiRequest): Promise<APIGatewayProxyResult>;
}

/** A use case, as a binding calls it. */
export interface UseCase<C, I extends z.ZodObject, O extends z.ZodType> {
  run(caller: C, input: z.infer<I>): Promise<z.input<O>>;
}

/** For callers without a key. */
interface OpenUseCase<I extends z.ZodObject, O extends z.ZodType> extends UseCase<Caller, I, O> {
  /** Called before anything of the body is read. */
  admit?(caller: Caller): Promise<void>;
}

/** For callers with a key. */
interface KeyUseCase<I extends z.ZodObject, O extends z.ZodType> extends UseCase<KeyCaller, I, O> {
  /** False where a call must change nothing, not even the key's expiry. */
  renewsKey?: boolean;
}

/** Joins an operation that needs no key to its use case. */
export function bind<I extends z.ZodObject, O extends z.ZodType>(
  operation: Operation<I, O>,
  useCase: OpenUseCase<I, O>,
): Binding {
  return binding(operation, 'none', {
    async identify({ caller }) {
      await useCase.admit?.(caller);
      return { caller, scope: callerKey(caller.address) };
    },
    serve: outputOf(useCase),
  });
}

/** Joins an operation that needs a key to its use case; who calls, and whether their plan includes it, is known before the body is read. */
export function bindWithKey<I extends z.ZodObject, O extends z.ZodType>(
  operation: Operation<I, O>,
  useCase: KeyUseCase<I, O>,
): Binding {
  return binding(operation, 'key', {
    async identify(request) {
      const caller = await signedIn(request, useCase.renewsKey ?? true);
      requirePlan(operation, caller);
      return { caller, scope: caller.account.id };
    },
    serve: outputOf(useCase),
  });
}

/** Joins an operation that anybody may call to its use case; a key that is sent must be good, and counts. */
export function bindForAll<I extends z.ZodObject, O extends z.ZodType>(
  operation: Operation<I, O>,
  useCase: UseCase<MaybeAccountCaller, I, O>,
): Binding {
  return binding<MaybeAccountCaller, I, O>(operation, 'optional', {
    async identify(request): Promise<Identified<MaybeAccountCaller>> {
      if (request.headers['authorization'] === undefined) {
        const { caller } = request;
        return { caller, scope: callerKey(caller.address) };
      }
      const caller = await signedIn(request, true);
      return { caller, scope: caller.account.id };
    },
    serve: outputOf(useCase),
  });
}

/** Who calls, and whose Idempotency-Keys theirs are. */
export interface Identified<C> {
  caller: C;
  scope: string;
}

/** What a use case gave, and the cookies that go with it. */
export interface Served<O extends z.ZodType> {
  output: z.input<O>;
  cookies?: readonly string[];
}

/** How one operation is served, once its route is known. */
interface Service<C, I extends z.ZodObject, O extends z.ZodType> {
  /** Who calls; before anything of the body is read. */
  identify(request: ApiRequest): Promise<Identified<C>>;
  serve(caller: C, input: z.infer<I>): Promise<Served<O>>;
}

function outputOf<C, I extends z.ZodObject, O extends z.ZodType>(useCase: UseCase<C, I, O>) {
  return async (caller: C, input: z.infer<I>): Promise<Served<O>> => ({
    output: await useCase.run(caller, input),
  });
}

/** A route of an operation; the output is reduced to what the operation names. */
export function binding<C, I extends z.ZodObject, O extends z.ZodType>(
  operation: Operation<I, O>,
  auth: Operation['auth'],
  service: Service<C, I, O>,
): Binding {
  if (operation.auth !== auth) throw new Error(`${operation.id} needs ${operation.auth}`);
  return {
    method: operation.method,
    route: operation.path,
    async serve(request) {
      const { caller, scope } = await service.identify(request);
      const input = await inputOf(operation, request);
      return answerRepeatably(operation, request, { scope, input }, async () => {
        const served = await service.serve(caller, input);
        const output = operation.output.parse(served.output);
        const body = operation.envelope === 'data' ? { status: 'success', data: output } : output;
        const answer = jsonResponse(operation.status, body, request.caller.requestId);
        const { cookies = [] } = served;
        if (cookies.length === 0) return answer;
        return { ...answer, multiValueHeaders: { 'set-cookie': [...cookies] } };
      });
    },
  };
}

/**
 * The input of an operation as it was sent.
 * @throws CodedError the operation's `invalid`, UNSUPPORTED_MEDIA_TYPE, TOO_MANY_FILES
 */
export async function inputOf<I extends z.ZodObject, O extends z.ZodType>(
  operation: Operation<I, O>,
  request: ApiRequest,
): Promise<z.infer<I>> {
  const parsed = operation.input.safeParse(await readInput(operation, request));
  if (parsed.success) return parsed.data;
  throw invalidInput(operation.invalid, fieldsOf(parsed.error.issues));
}

async function readInput(operation: Operation, request: ApiRequest): Promise<object> {
  const { query, pathParameters, headers } = request;
  if (operation.body === 'none') return { ...query, ...pathParameters };
  const contentType = headers['content-type'];
  const body =
    operation.body === 'json' || isJson(contentType)
      ? readJson(request.body, contentType, operation)
      : await readForm(request.body, contentType);
  // What the path says is no field of the body, and what a body says is not overruled by the query.
  const strange = Object.keys(pathParameters).filter((name) => Object.hasOwn(body, name));
  if (strange.length > 0) throw invalidInput(operation.invalid, strange.map(unknownField));
  return { ...body, ...pathParameters };
}

import type { APIGatewayProxyResult } from 'aws-lambda';
import type * as z from 'zod';
import type { Operation } from '../../contract/operation.ts';
import type { Caller } from '../../core/caller.ts';
import { CodedError } from '../../core/errors.ts';
import type { ApiRequest } from './api-request.ts';
import { jsonResponse } from './api-response.ts';
import { readForm } from './multipart.ts';

/** One route of a function and what serves it. */
export interface Binding {
  method: string;
  route: string;
  serve(request: ApiRequest): Promise<APIGatewayProxyResult>;
}

/** A use case, as a binding calls it. */
interface UseCase<I extends z.ZodObject, O extends z.ZodType> {
  run(caller: Caller, input: z.infer<I>): Promise<z.input<O>>;
  /** Called before anything of the body is read. */
  admit?(caller: Caller): Promise<void>;
}

/** Joins an operation to its use case: input parsed, output reduced to what the operation names. */
export function bind<I extends z.ZodObject, O extends z.ZodType>(
  operation: Operation<I, O>,
  useCase: UseCase<I, O>,
): Binding {
  return {
    method: operation.method,
    route: operation.path,
    async serve(request) {
      await useCase.admit?.(request.caller);
      const input = parseInput(operation, await readInput(operation, request));
      const output = operation.output.parse(await useCase.run(request.caller, input));
      const body = operation.envelope === 'data' ? { status: 'success', data: output } : output;
      return jsonResponse(operation.status, body, request.caller.requestId);
    },
  };
}

async function readInput(operation: Operation, request: ApiRequest): Promise<object> {
  const flat = { ...request.query, ...request.pathParameters };
  if (operation.body !== 'multipart') return flat;
  const form = await readForm(request.body, request.headers['content-type']);
  return { ...form, ...flat };
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

import type { APIGatewayProxyResult } from 'aws-lambda';
import type * as z from 'zod';
import type { Operation } from '../../contract/operation.ts';
import type { Caller, KeyCaller } from '../../core/caller.ts';
import type { ApiRequest } from './api-request.ts';
import { type Binding, inputOf } from './bind.ts';
import { requirePlan, signedIn } from '../accounts/sign-in.ts';

/** An answer that is no JSON. */
export interface FileAnswer {
  mediaType: string;
  content: string | Uint8Array;
  /** Left out: nobody on the way keeps it. */
  cacheControl?: string;
  /** Beside those of every answer. */
  headers?: Record<string, string>;
}

/** Joins an operation that needs no key and answers a text or a picture to its use case. */
export function bindFile<I extends z.ZodObject, O extends z.ZodType>(
  operation: Operation<I, O>,
  useCase: { run(caller: Caller, input: z.infer<I>): Promise<FileAnswer> },
): Binding {
  return fileBinding(operation, {
    identify: async ({ caller }) => caller,
    run: (caller, input) => useCase.run(caller, input),
  });
}

/** The same for an operation that needs a key; who calls, and whether their plan includes it, is known first. */
export function bindFileWithKey<I extends z.ZodObject, O extends z.ZodType>(
  operation: Operation<I, O>,
  useCase: { run(caller: KeyCaller, input: z.infer<I>): Promise<FileAnswer> },
): Binding {
  if (operation.auth !== 'key') throw new Error(`${operation.id} needs ${operation.auth}`);
  return fileBinding(operation, {
    async identify(request) {
      const caller = await signedIn(request, true);
      requirePlan(operation, caller);
      return caller;
    },
    run: (caller, input) => useCase.run(caller, input),
  });
}

function fileBinding<C, I extends z.ZodObject, O extends z.ZodType>(
  operation: Operation<I, O>,
  service: {
    identify(request: ApiRequest): Promise<C>;
    run(caller: C, input: z.infer<I>): Promise<FileAnswer>;
  },
): Binding {
  const { method, path, mediaTypes = [], status } = operation;
  return {
    method,
    route: path,
    async serve(request) {
      const caller = await service.identify(request);
      const answer = await service.run(caller, await inputOf(operation, request));
      if (!mediaTypes.includes(answer.mediaType)) {
        throw new Error(`${operation.id} does not answer ${answer.mediaType}`);
      }
      return fileResponse(status, answer, request.caller.requestId);
    },
  };
}

function fileResponse(
  status: number,
  { mediaType, content, cacheControl = 'no-store', headers }: FileAnswer,
  requestId: string,
): APIGatewayProxyResult {
  const isText = typeof content === 'string';
  return {
    statusCode: status,
    headers: {
      'content-type': mediaType.startsWith('text/') ? `${mediaType}; charset=utf-8` : mediaType,
      'cache-control': cacheControl,
      'x-content-type-options': 'nosniff',
      'x-request-id': requestId,
      ...headers,
    },
    body: isText ? content : Buffer.from(content).toString('base64'),
    isBase64Encoded: !isText,
  };
}

import type { APIGatewayProxyResult } from 'aws-lambda';
import type * as z from 'zod';
import { isCalledWithKey, type Operation } from '../../contract/operation.ts';
import type { Caller, OwnerCaller } from '../../core/caller.ts';
import type { ApiRequest } from './api-request.ts';
import { type Binding, inputOf } from './bind.ts';
import { authorizeOwner, requirePlan } from './authorize.ts';

/** A response that is not JSON. */
export interface FileResponse {
  mediaType: string;
  content: string | Uint8Array;
  /** Default: `no-store`. */
  cacheControl?: string;
  /** Added to the headers of every response. */
  headers?: Record<string, string>;
}

/** Binds an operation without a key whose response is a text or an image. */
export function bindFile<I extends z.ZodObject, O extends z.ZodType>(
  operation: Operation<I, O>,
  useCase: { run(caller: Caller, input: z.infer<I>): Promise<FileResponse> },
): Binding {
  return fileBinding(operation, {
    identify: async ({ caller }) => caller,
    run: (caller, input) => useCase.run(caller, input),
  });
}

/** The same for an operation that needs a key or a browser session. It is checked with the plan before the input is read. */
export function bindFileWithKey<I extends z.ZodObject, O extends z.ZodType>(
  operation: Operation<I, O>,
  useCase: { run(caller: OwnerCaller, input: z.infer<I>): Promise<FileResponse> },
): Binding {
  if (operation.auth !== 'key') throw new Error(`${operation.id} needs ${operation.auth}`);
  return fileBinding(operation, {
    async identify(request) {
      const caller = await authorizeOwner(request, operation);
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
    run(caller: C, input: z.infer<I>): Promise<FileResponse>;
  },
): Binding {
  const { method, path, mediaTypes = [], status } = operation;
  return {
    method,
    route: path,
    allowsAnyOrigin: isCalledWithKey(operation),
    isOperation: true,
    async serve(request) {
      const caller = await service.identify(request);
      const response = await service.run(caller, await inputOf(operation, request));
      if (!mediaTypes.includes(response.mediaType)) {
        throw new Error(`${operation.id} does not declare ${response.mediaType}`);
      }
      return fileResponse(status, response, request.caller.requestId);
    },
  };
}

function fileResponse(
  status: number,
  { mediaType, content, cacheControl = 'no-store', headers }: FileResponse,
  requestId: string,
): APIGatewayProxyResult {
  const isText = typeof content === 'string';
  return {
    statusCode: status,
    headers: {
      'content-type': mediaType.startsWith('text/') ? `${mediaType}; charset=utf-8` : mediaType,
      'cache-control': cacheControl,
      'x-request-id': requestId,
      ...headers,
    },
    body: isText ? content : Buffer.from(content).toString('base64'),
    isBase64Encoded: !isText,
  };
}

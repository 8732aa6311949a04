import type { APIGatewayProxyResult } from 'aws-lambda';
import type * as z from 'zod';
import type { Operation } from '../../contract/operation.ts';
import type { Caller } from '../../core/caller.ts';
import { type Binding, inputOf } from './bind.ts';

/** An answer that is no JSON. */
export interface FileAnswer {
  mediaType: string;
  content: string | Uint8Array;
  /** Left out: nobody on the way keeps it. */
  cacheControl?: string;
}

/** Joins an operation that needs no key and answers a text or a picture to its use case. */
export function bindFile<I extends z.ZodObject, O extends z.ZodType>(
  operation: Operation<I, O>,
  useCase: { run(caller: Caller, input: z.infer<I>): Promise<FileAnswer> },
): Binding {
  const { method, path, mediaTypes = [], status } = operation;
  return {
    method,
    route: path,
    async serve(request) {
      const answer = await useCase.run(request.caller, await inputOf(operation, request));
      if (!mediaTypes.includes(answer.mediaType)) {
        throw new Error(`${operation.id} does not answer ${answer.mediaType}`);
      }
      return fileResponse(status, answer, request.caller.requestId);
    },
  };
}

function fileResponse(
  status: number,
  { mediaType, content, cacheControl = 'no-store' }: FileAnswer,
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
    },
    body: isText ? content : Buffer.from(content).toString('base64'),
    isBase64Encoded: !isText,
  };
}

import type { APIGatewayProxyResult } from 'aws-lambda';
import {
  chooseEncoding,
  encodeBody,
  isCompressible,
} from '../../core/visit/protocol/content-coding.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { Binding } from '../http/bind.ts';

/**
 * A binding whose text is compressed if the edge function requests bytes from API Gateway, which it
 * does only for public documents. No other response of the app may be compressed: if a response
 * contains both a secret and text from the request, its compressed length reveals how much of the
 * secret that text repeats (BREACH).
 */
export function compressed(binding: Binding): Binding {
  return {
    ...binding,
    serve: async (request) => compressedResponse(request, await binding.serve(request)),
  };
}

async function compressedResponse(
  request: Pick<ApiRequest, 'headers'>,
  response: APIGatewayProxyResult,
): Promise<APIGatewayProxyResult> {
  const type = String(response.headers?.['content-type'] ?? '');
  const bytes = Buffer.from(response.body);
  const isText = response.isBase64Encoded !== true;
  if (!isText || !takesBytes(request) || !isCompressible(type, bytes.byteLength)) return response;
  const coding = chooseEncoding(request.headers['accept-encoding'] ?? '', type, bytes.byteLength);
  const headers = { ...response.headers, vary: 'accept-encoding' };
  if (coding === undefined) return { ...response, headers };
  return {
    ...response,
    headers: { ...headers, 'content-encoding': coding },
    body: (await encodeBody(bytes, coding)).toString('base64'),
    isBase64Encoded: true,
  };
}

/** API Gateway decodes base64 if the first type of `Accept` is one of its binary types. */
function takesBytes({ headers }: Pick<ApiRequest, 'headers'>): boolean {
  return /^\s*application\/octet-stream\s*(?:[,;]|$)/i.test(headers['accept'] ?? '');
}

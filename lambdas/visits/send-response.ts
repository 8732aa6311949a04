import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { commonHeaders } from '../../contract/common-headers.ts';
import { plainText } from '../../core/content/media-type.ts';
import type { ContentStore } from '../../core/ports.ts';
import { readRange } from '../../core/visit/protocol/conditional-request.ts';
import { encodeBody } from '../../core/visit/protocol/content-coding.ts';
import { notFoundPage } from '../../web/pages/visitor/refusal-pages.ts';
import { type PageEdit, refusalResponse, type VisitResponse } from './response-parts.ts';

/** The dependencies for sending: storage, and the brand for our own pages. */
export interface SendDeps {
  brand: string;
  content: Pick<ContentStore, 'get'>;
}

/** A response as Lambda sends it from a Function URL. */
export interface UrlResult extends APIGatewayProxyStructuredResultV2 {
  headers: Record<string, string>;
}

/** Sends a response; a body from storage is read first, then edited and compressed. */
export async function sendResponse(
  deps: SendDeps,
  request: { method: string },
  response: VisitResponse,
): Promise<UrlResult> {
  const { text, stored, edit, coding } = response;
  if (request.method === 'HEAD' || (stored === undefined && coding === undefined)) {
    return sendText(request, response);
  }
  const bytes = stored ? await deps.content.get(stored.key, stored.range) : Buffer.from(text ?? '');
  if (bytes === undefined) {
    const page = notFoundPage({ brand: deps.brand, kind: 'file' });
    return sendText(request, refusalResponse(404, page));
  }
  const edited =
    edit === undefined ? { response, bytes } : await applyPageEdit(response, edit, bytes);
  if (edited.bytes === undefined) return headOf(edited.response);
  const body = await encodeBody(edited.bytes, coding);
  return { ...headOf(edited.response), body: body.toString('base64'), isBase64Encoded: true };
}

/** Sends a response whose body is text, or that has none. */
export function sendText({ method }: { method: string }, response: VisitResponse): UrlResult {
  const { text } = response;
  return method === 'HEAD' || text === undefined
    ? headOf(response)
    : { ...headOf(response), body: text };
}

/** Without a type, a Function URL labels a response as JSON: redirects too. */
function headOf({ status, headers }: VisitResponse): UrlResult {
  return {
    statusCode: status,
    headers: { ...commonHeaders, 'content-type': plainText, ...headers },
  };
}

/** A response with its bytes, or without a body. */
interface EditedResponse {
  response: VisitResponse;
  bytes?: Uint8Array;
}

/** A stored page with its new head: all of it, or the requested range of the edited page. */
export async function applyPageEdit(
  response: VisitResponse,
  edit: PageEdit,
  stored: Uint8Array,
): Promise<EditedResponse> {
  // Loaded only when needed: the HTML parser is large.
  const { editPage } = await import('../../core/page-edits/edit-page.ts');
  const page = editPage(stored, edit.head);
  const range = readRange(edit.range, page.length);
  if (range === 'whole') return { response, bytes: page };
  if (range === 'unsatisfiable') return { response: edit.unsatisfiable(page.length) };
  const { first, last } = range;
  const contentRange = { 'content-range': `bytes ${first}-${last}/${page.length}` };
  return {
    response: { ...response, status: 206, headers: { ...response.headers, ...contentRange } },
    bytes: page.subarray(first, last + 1),
  };
}

import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { commonHeaders } from '../../contract/common-headers.ts';
import { type BoundedMemory, boundedMemory } from '../../core/bounded-memory.ts';
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
  /** Bodies of files that were sent before, as base64. */
  bodies: BoundedMemory<string>;
}

/** Longer bodies are read again each time, so that a few of them do not displace all others. */
const maxKeptBytes = 256 * 1024;

/** The bytes of an entry besides its key and its body. */
const entryBytes = 300;

/** A small part of the gate's memory. */
export function sentBodies(): BoundedMemory<string> {
  return boundedMemory(32 * 1024 * 1024);
}

/** A response as Lambda sends it from a Function URL. */
export interface UrlResult extends APIGatewayProxyStructuredResultV2 {
  headers: Record<string, string>;
}

/**
 * Sends a response; a body from storage is read first, then edited and compressed. No request changes
 * what an object contains, so this is done once for a body that is still in memory.
 */
export async function sendResponse(
  deps: SendDeps,
  request: { method: string },
  response: VisitResponse,
): Promise<UrlResult> {
  if (request.method === 'HEAD') return sendText(request, response);
  const key = bodyKey(response);
  const known = key === undefined ? undefined : deps.bodies.get(key);
  if (known !== undefined) return sendBase64(response, known);
  const result = await sendBody(deps, request, response);
  const { body, isBase64Encoded } = result;
  if (key !== undefined && body !== undefined && isBase64Encoded && body.length <= maxKeptBytes)
    deps.bodies.add(key, body, entryBytes + 2 * key.length + body.length);
  return result;
}

/**
 * A key of everything that determines the body of a response with a stored file; `undefined` for
 * other responses, and for ranges that a visitor chose, which are too many to keep.
 */
function bodyKey({ status, stored, edit, coding }: VisitResponse): string | undefined {
  if (stored === undefined || status === 206 || edit?.range !== undefined) return undefined;
  return JSON.stringify([stored.key, stored.range, coding, edit?.head]);
}

async function sendBody(
  deps: SendDeps,
  request: { method: string },
  response: VisitResponse,
): Promise<UrlResult> {
  const { text, stored, edit, coding } = response;
  if (stored === undefined && coding === undefined) return sendText(request, response);
  const bytes = stored ? await deps.content.get(stored.key, stored.range) : Buffer.from(text ?? '');
  if (bytes === undefined) {
    const page = notFoundPage({ brand: deps.brand, kind: 'file' });
    return sendText(request, refusalResponse(404, page));
  }
  const edited =
    edit === undefined ? { response, bytes } : await applyPageEdit(response, edit, bytes);
  if (edited.bytes === undefined) return headOf(edited.response);
  const body = await encodeBody(edited.bytes, coding);
  return sendBase64(edited.response, body.toString('base64'));
}

function sendBase64(response: VisitResponse, body: string): UrlResult {
  return { ...headOf(response), body, isBase64Encoded: true };
}

/** Sends a response whose body is text, or that has none. */
export function sendText({ method }: { method: string }, response: VisitResponse): UrlResult {
  const { text } = response;
  return method === 'HEAD' || text === undefined
    ? headOf(response)
    : { ...headOf(response), body: text };
}

/** A Function URL labels a response without a type as JSON, even a redirect, so each gets a type. */
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

import { allowOrigin } from '../../core/visit/cross-origin.ts';
import { sentBytes, type ServedFile } from '../../core/visit/decide-visit.ts';
import {
  type AddressedDecision,
  addressOf,
  storedKey,
  toLargeFileAddress,
} from '../../core/visit/large-file-address.ts';
import type { ServingRecord } from '../../core/visit/serving-record.ts';
import { logger } from '../shared/logger.ts';
import type { EdgeRequest } from './edge-request.ts';
import { ofWhole, type SentValidators } from './record-traffic.ts';
import {
  privateRedirect,
  privateResponse,
  siteHeaders,
  type VisitResponse,
} from './response-parts.ts';
import { withHeaders } from '../http/with-headers.ts';

type LargeFileDecision = Extract<
  AddressedDecision,
  { kind: 'large-file' | 'to-own-path' | 'left-to-storage' }
>;

export function isLargeFileDecision(decision: AddressedDecision): decision is LargeFileDecision {
  return ['large-file', 'to-own-path', 'left-to-storage'].includes(decision.kind);
}

/** What the gate answers about a file that is too large for it. */
export function largeFileResponse(
  site: ServingRecord,
  decision: LargeFileDecision,
  { path, query }: Pick<EdgeRequest, 'path' | 'query'>,
): VisitResponse {
  switch (decision.kind) {
    case 'large-file': {
      const address = toLargeFileAddress(addressOf(site, decision.file, path));
      return openedTo(decision.file, privateRedirect(site, address));
    }
    case 'to-own-path': {
      // Two slashes would begin the address of another site.
      const own = path.replace(/^\/+/, '/');
      return privateRedirect(site, query === '' ? own : `${own}?${query}`);
    }
    case 'left-to-storage':
      return privateResponse({ status: leftToStorage, headers: siteHeaders(site) });
  }
}

/** Pages of other origins follow a redirect only if they may read it too (Fetch, "HTTP-redirect fetch"). */
function openedTo({ isOpen, fields }: ServedFile, response: VisitResponse): VisitResponse {
  const named = [...(fields ?? [])].filter(([name]) => name.startsWith('access-control-allow-'));
  const opening = { ...(isOpen === true && { [allowOrigin]: '*' }), ...Object.fromEntries(named) };
  return withHeaders(response, opening);
}

/**
 * Tells the edge that storage may send the file; the edge then sends the same request to storage. At the addresses of
 * large files, a function uses this status for nothing else, and Lambda itself never uses it.
 */
export const leftToStorage = 416;

/** Reads the headers by which storage compares an object. */
export type ReadValidators = (key: string) => Promise<SentValidators>;

/**
 * The number of bytes that storage sends a visitor: those of the requested range, or none if the visitor has this file
 * already. Only storage knows what tells so.
 */
export async function storedFileBytes(
  readValidators: ReadValidators,
  request: Pick<EdgeRequest, 'viewer' | 'conditions'>,
  site: ServingRecord,
  { file }: Extract<AddressedDecision, { kind: 'left-to-storage' }>,
): Promise<number> {
  const { method, ifNoneMatch, ifRange } = request.viewer;
  if (method === 'HEAD') return 0;
  const isConditional = ifNoneMatch !== undefined || ifRange !== undefined;
  const known = isConditional ? await validatorsOrNone(readValidators, storedKey(site, file)) : {};
  // S3 does not document how it compares weak tags.
  if (ifNoneMatch?.startsWith('W/') === true) return sentBytes(file);
  return ofWhole({ viewer: request.viewer, conditions: {} }, sentBytes(file), known);
}

async function validatorsOrNone(read: ReadValidators, key: string): Promise<SentValidators> {
  return read(key).catch((error: unknown) => {
    logger.error('the ETag of a large file was not read', { error: String(error) });
    return {};
  });
}

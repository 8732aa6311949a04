import { type ByteRange, lengthOf } from './protocol/conditional-request.ts';
import { sentBytes, type Decision, type ServedFile } from './decide-visit.ts';

/** A function streams at most 200 MB, and 190 MB take 92 seconds (AWS Lambda, "Response streaming"). */
export const maxStreamedBytes = 190_000_000;

const prefix = '/_slipway/files/';

/** The content of a file, and the path that was requested. */
export interface LargeFileAddress {
  hash: string;
  /** Percent-encoded, as it was sent. */
  path: string;
}

/**
 * The address of a large file. It stays the same for as long as the content does, so browsers can
 * cache the file, and it ends with the requested path, so that relative references still work.
 */
export function toLargeFileAddress({ hash, path }: LargeFileAddress): string {
  return `${prefix}${hash}${path}`;
}

/** Reads such an address; `undefined` for every other path. */
export function readLargeFileAddress(raw: string): LargeFileAddress | undefined {
  if (!raw.startsWith(prefix)) return undefined;
  const match = /^([\w-]{16})(\/.*)$/.exec(raw.slice(prefix.length));
  const [, hash = '', path = ''] = match ?? [];
  return match === null ? undefined : { hash, path };
}

/** A decision that may redirect the visitor to another address. */
export type AddressedDecision =
  | Decision
  /** The address of its own that this file has. */
  | { kind: 'to-large-file'; file: ServedFile }
  /** The content at the path has changed since. */
  | { kind: 'to-own-path' }
  | { kind: 'stream'; file: ServedFile; range?: ByteRange };

/** At its own path, a file that is too large for one response is redirected to its address. Pure. */
export function decideAtOwnPath(decision: Decision): AddressedDecision {
  if (decision.kind !== 'media' || bytesOf(decision) > maxStreamedBytes) return decision;
  return { kind: 'to-large-file', file: decision.file };
}

/** At its address, a file is sent whatever its size; see `maxStreamedBytes` for the exception. Pure. */
export function decideAtAddress(decision: Decision, hash: string): AddressedDecision {
  if (decision.kind === 'media') {
    if (decision.file.entry.hash !== hash) return { kind: 'to-own-path' };
    return bytesOf(decision) > maxStreamedBytes ? decision : { ...decision, kind: 'stream' };
  }
  if (decision.kind === 'file' || decision.kind === 'not-modified') {
    return decision.file.entry.hash === hash ? decision : { kind: 'to-own-path' };
  }
  const isOurPage = ['listing', 'single-file-page', 'to-viewer'].includes(decision.kind);
  return isOurPage ? { kind: 'to-own-path' } : decision;
}

/** The same decision for a media player that gets the whole requested range. Pure. */
export function withoutPieces(decision: Decision): Decision {
  if (decision.kind !== 'file' || decision.isPiece !== true) return decision;
  const { file, range } = decision;
  return { kind: 'media', file, range: { first: range?.first ?? 0, last: file.entry.size - 1 } };
}

function bytesOf({ file, range }: Extract<Decision, { kind: 'media' }>): number {
  return range === undefined ? sentBytes(file) : lengthOf(range);
}

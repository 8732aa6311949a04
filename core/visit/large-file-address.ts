import { type Decision, decideVisit, type ServedFile } from './decide-visit.ts';
import { brotliPlace, filePlace } from './file-place.ts';
import type { Manifest } from './manifest.ts';
import { chooseEncoding } from './protocol/content-coding.ts';
import type { VisitorRequest } from './route-visit.ts';
import type { ServingRecord } from './serving-record.ts';

const prefix = '/_slipway/files/';
/** The same for the files of a site that isolates its pages: their responses have the headers that this needs. */
const isolatedPrefix = '/_slipway/isolated/';

/** The object of a large file, and the path that was requested. */
export interface LargeFileAddress {
  /** Below the prefix of all content: letters, digits, `-`, `.` and `/` only, which every signature encodes alike. */
  object: string;
  isIsolated: boolean;
  /** Percent-encoded, as it was sent. */
  path: string;
}

/**
 * Where storage sends a large file. The address names the object, so it stays the same for as long as the
 * content does, and its end is the requested path, so that relative references still work.
 */
export function toLargeFileAddress({ object, isIsolated, path }: LargeFileAddress): string {
  return `${isIsolated ? isolatedPrefix : prefix}${object}${path}`;
}

/** The edge function reads the same: `storedObject` in `lib/edge/viewer-request.js`. */
const shape =
  /^\/_slipway\/(files|isolated)\/([0-9a-f-]{36}\/[0-9a-f]{1,16}\/[0-9a-f]{32}(?:\.br)?)(\/.*)$/;

/** Reads such an address; `undefined` for every other path. */
export function readLargeFileAddress(raw: string): LargeFileAddress | undefined {
  const [, place, object = '', path = ''] = shape.exec(raw) ?? [];
  return place === undefined ? undefined : { object, isIsolated: place === 'isolated', path };
}

/** What a visitor gets at the address of a large file. */
export type AddressedDecision =
  | Decision
  /** The path has another content by now, or is small. */
  | { kind: 'to-own-path' }
  | { kind: 'left-to-storage'; file: ServedFile };

/**
 * At its address, storage sends the file, evaluates conditions and ranges, and nothing else is there. The
 * form is the one that the address names: to revalidate its copy, the edge leaves out what the visitor sent. Pure.
 */
export function decideAtAddress(
  site: ServingRecord,
  files: Manifest,
  visit: VisitorRequest,
  address: LargeFileAddress,
): AddressedDecision {
  const decision = decideVisit(site, files, { ...visit, conditions: {}, acceptEncoding: '' });
  if (decision.kind === 'large-file') {
    const file = formAt(site, decision.file, visit, address);
    return file === undefined ? { kind: 'to-own-path' } : { kind: 'left-to-storage', file };
  }
  return refusesFile(decision) ? decision : { kind: 'to-own-path' };
}

function refusesFile({ kind }: Decision): boolean {
  return ['missing', 'not-found-page', 'redirect'].includes(kind);
}

/** The form of a file that an address names; `undefined` if it names none that this visitor may get. */
function formAt(
  site: ServingRecord,
  file: ServedFile,
  { acceptEncoding }: VisitorRequest,
  address: LargeFileAddress,
): ServedFile | undefined {
  const { contentType, entry } = file;
  const unpacks = chooseEncoding(acceptEncoding, contentType, entry.size) === 'br';
  const packed = { ...file, coding: 'br', isBrotli: true } as const;
  const forms = unpacks && entry.brotliBytes !== undefined ? [file, packed] : [file];
  return forms.find((form) => {
    const { object, isIsolated } = addressOf(site, form, address.path);
    return object === address.object && isIsolated === address.isIsolated;
  });
}

/** The address of a form of a file at a path. */
export function addressOf(site: ServingRecord, file: ServedFile, path: string): LargeFileAddress {
  // An isolated page needs two headers. This one tells enough: without the other, it has no effect.
  const isIsolated = file.fields?.has('cross-origin-embedder-policy') === true;
  return { object: storedKey(site, file).replace(/^content\//, ''), isIsolated, path };
}

/** The key of the object with the bytes that are sent of a file. */
export function storedKey(site: ServingRecord, { path, entry, isBrotli }: ServedFile): string {
  return (isBrotli === true ? brotliPlace : filePlace)(site, path, entry).key;
}

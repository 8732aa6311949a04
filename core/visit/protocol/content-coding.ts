import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';

/** How a response is compressed. */
export type Coding = 'br' | 'gzip';

/** A smaller response fits into one packet without compression. */
export const minEncodedBytes = 860;

/** Types that compress well: text, and programs and fonts that are not compressed themselves. */
const compressible =
  /^(?:text\/|application\/(?:javascript|json|x-ndjson|xml|wasm|rtf|manifest\+json|vnd\.ms-fontobject|x-font-|.*\+(?:json|xml))|image\/(?:svg\+xml|bmp|x-icon|vnd\.microsoft\.icon)|font\/(?:ttf|otf|collection)|model\/(?:gltf\+json|obj|stl|ply))/;

/** Whether a file is sent compressed to clients that accept it. */
export function isCompressible(contentType: string, size: number): boolean {
  return size >= minEncodedBytes && compressible.test(contentType);
}

/**
 * The coding that a client prefers (RFC 9110 §12.5.3), `undefined` for none. Brotli wins a tie, because
 * it compresses better.
 */
export function chooseEncoding(
  acceptEncoding: string,
  contentType: string,
  size: number,
): Coding | undefined {
  if (!isCompressible(contentType, size)) return undefined;
  const weights = readWeights(acceptEncoding);
  const any = weights.get('*') ?? 0;
  const br = weights.get('br') ?? any;
  const gzip = weights.get('gzip') ?? weights.get('x-gzip') ?? any;
  const best = br >= gzip ? br : gzip;
  // A client that names a coding, but not `identity`, prefers the coding.
  if (best === 0 || best < (weights.get('identity') ?? 0)) return undefined;
  return br >= gzip ? 'br' : 'gzip';
}

function readWeights(field: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const item of field.toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    if (name === '') continue;
    // §12.4.2: up to three digits after the point; an invalid weight counts as 0.
    weights.set(name, /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : 0);
  }
  return weights;
}

/** The quality of what is compressed once, at publishing, and of small bodies. */
export const brotliQuality = 5;

/** Levels at which a body of {@link maxThoroughBytes} takes 10 to 20 milliseconds. */
const thorough = { brotli: brotliQuality, gzip: 6 };
/** Levels at which the 4 MB of the longest body take 20 to 40 milliseconds; a quarter more is sent. */
const quick = { brotli: 1, gzip: 1 };
/** Nobody may keep the gate busy by a longer body that is compressed for each request. */
export const maxThoroughBytes = 256 * 1024;

/** Below this, handing the bytes to another thread takes as long as compressing a part of them. */
const maxSyncBytes = 32 * 1024;

/** Compresses a body. */
export async function encodeBody(bytes: Uint8Array, coding: Coding | undefined): Promise<Buffer> {
  if (coding === undefined) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isSmall = bytes.byteLength <= maxSyncBytes;
  const levels = bytes.byteLength <= maxThoroughBytes ? thorough : quick;
  if (coding === 'gzip') {
    const options = { level: levels.gzip };
    return isSmall ? gzipSync(bytes, options) : promisify(gzip)(bytes, options);
  }
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: levels.brotli,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength,
  };
  return isSmall
    ? brotliCompressSync(bytes, { params })
    : promisify(brotliCompress)(bytes, { params });
}

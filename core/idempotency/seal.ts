import * as z from 'zod';
import { createHash, createHmac, hkdfSync } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { sealBytes, unsealBytes } from '../sealed-bytes.ts';
import type { StoredResponse } from './response-store.ts';
import { isRecord } from '../json.ts';

const SealedResponse = z.object({
  status: z.number(),
  headers: z.record(z.string(), z.string()),
  cookies: z.array(z.string()).optional(),
  body: z.string(),
});

/** The row of one Idempotency-Key, and the keys that protect it. */
export type SealKeys = ReturnType<typeof sealKeys>;

/**
 * Keys for one Idempotency-Key of one caller at one operation (HKDF, RFC 5869).
 *
 * The caller's key is the input and the service's secret is the salt. A reader of the table has
 * neither, and cannot guess short keys. While the secret is replaced, rows exist under two values of it.
 */
export function sealKeys(secret: string, { scope, key }: { scope: string; key: string }) {
  const material = JSON.stringify([scope, key]);
  const derive = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', material, secret, `slipway idempotency ${purpose}`, 32));
  return {
    /** Name of the row; it does not reveal the Idempotency-Key. */
    row: derive('row').toString('hex'),
    sealing: derive('answer'),
    marking: derive('request'),
  };
}

/** Compresses and encrypts a response: it may contain an API key or a claim token. */
export function seal({ sealing: key, row: context }: SealKeys, response: StoredResponse): Buffer {
  return sealBytes({ key, context }, gzipSync(JSON.stringify(response)));
}

/** Decrypts a sealed response; throws when it was changed or belongs to another row. */
export function unseal(
  { sealing: key, row: context }: SealKeys,
  sealed: Uint8Array,
): StoredResponse {
  const plain = unsealBytes({ key, context }, sealed);
  return SealedResponse.parse(JSON.parse(gunzipSync(plain).toString('utf8')));
}

/**
 * The fingerprint of a request: equal for equal parsed inputs, in any order of their fields. It is
 * an HMAC, because an input may be a six-digit code that a reader of the table could guess.
 */
export function requestFingerprint(key: Buffer, input: unknown): string {
  return createHmac('sha256', key).update(canonical(input)).digest('hex');
}

/**
 * JSON with sorted names, and hashes in place of bytes. A replacer of `JSON.stringify` would not do:
 * it receives a Buffer as a list of numbers.
 */
function canonical(value: unknown): string {
  if (value instanceof Uint8Array) return `sha256:${hash(value)}`;
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (!isRecord(value)) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`);
  return `{${fields.join()}}`;
}

function hash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

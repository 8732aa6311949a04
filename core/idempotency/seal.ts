import { hkdfSync } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import * as z from 'zod';
import { sealBytes, unsealBytes } from '../sealed-bytes.ts';
import type { Answer } from './answer-store.ts';

const StoredAnswer = z.object({
  status: z.number(),
  headers: z.record(z.string(), z.string()),
  cookies: z.array(z.string()).optional(),
  body: z.string(),
});

/** Where one key's request is kept, and the keys it is kept under. */
export interface SealKeys {
  /** Name of the row; says nothing of the key it was made from. */
  row: string;
  sealing: Buffer;
  marking: Buffer;
}

/**
 * Keys for one Idempotency-Key of one caller at one operation (HKDF, RFC 5869).
 *
 * The caller's key is the input and the service's secret is the salt: whoever reads the table has
 * neither, and cannot try short keys out. While a secret is replaced, rows stand under two values of it.
 */
export function sealKeys(secret: string, { scope, key }: { scope: string; key: string }): SealKeys {
  const material = JSON.stringify([scope, key]);
  const derive = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', material, secret, `slipway idempotency ${purpose}`, 32));
  return {
    row: derive('row').toString('hex'),
    sealing: derive('answer'),
    marking: derive('request'),
  };
}

/** An answer compressed, then encrypted: it may hold an API key or a claim token. */
export function seal({ sealing: key, row: context }: SealKeys, answer: Answer): Buffer {
  return sealBytes({ key, context }, gzipSync(JSON.stringify(answer)));
}

/** The answer that was sealed; throws when a bit of it was changed or it belongs to another row. */
export function unseal({ sealing: key, row: context }: SealKeys, sealed: Uint8Array): Answer {
  const plain = unsealBytes({ key, context }, sealed);
  return StoredAnswer.parse(JSON.parse(gunzipSync(plain).toString('utf8')));
}

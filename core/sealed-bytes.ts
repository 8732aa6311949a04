import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const nonceBytes = 12;
const tagBytes = 16;

/** A key of 256 bits, and what the sealed bytes belong to: they open nowhere else. */
export interface Seal {
  key: Buffer;
  context: string;
}

/** Encrypts (AES-256-GCM): nonce, what was encrypted, tag. */
export function sealBytes({ key, context }: Seal, plain: Uint8Array | string): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
  const encrypted = typeof plain === 'string' ? cipher.update(plain, 'utf8') : cipher.update(plain);
  return Buffer.concat([nonce, encrypted, cipher.final(), cipher.getAuthTag()]);
}

/** What was sealed; throws when a bit of it was changed or it belongs elsewhere. */
export function unsealBytes({ key, context }: Seal, sealed: Uint8Array): Buffer {
  const nonce = sealed.subarray(0, nonceBytes);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(-tagBytes));
  const encrypted = sealed.subarray(nonceBytes, -tagBytes);
  return Buffer.concat([decipher.update(encrypted), decipher.final()]);
}

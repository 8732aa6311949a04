import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const nonceBytes = 12;
const tagBytes = 16;

/** A key of 256 bits, and the context that the sealed bytes are bound to (AES-GCM additional data). */
export interface Seal {
  key: Buffer;
  context: string;
}

/** Encrypts with AES-256-GCM. The result is nonce, ciphertext, tag. */
export function sealBytes({ key, context }: Seal, plain: Uint8Array | string): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
  const encrypted = typeof plain === 'string' ? cipher.update(plain, 'utf8') : cipher.update(plain);
  return Buffer.concat([nonce, encrypted, cipher.final(), cipher.getAuthTag()]);
}

/** Decrypts sealed bytes; throws when they were changed or belong to another context. */
export function unsealBytes({ key, context }: Seal, sealed: Uint8Array): Buffer {
  const nonce = sealed.subarray(0, nonceBytes);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(-tagBytes));
  const encrypted = sealed.subarray(nonceBytes, -tagBytes);
  return Buffer.concat([decipher.update(encrypted), decipher.final()]);
}

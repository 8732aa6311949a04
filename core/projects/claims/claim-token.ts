import { createHash, randomBytes } from 'node:crypto';

/** A new claim token: 256 random bits as base64url. Only its hash is ever stored. */
export function newClaimToken(): string {
  return randomBytes(32).toString('base64url');
}

/** SHA-256 of a token, hexadecimal: what is stored and looked up. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

import { hkdfSync } from 'node:crypto';
import * as z from 'zod';
import { type Seal, sealBytes, unsealBytes } from '../../sealed-bytes.ts';
import { AccessToken, type TokenPair } from './tokens.ts';

const Successor = z.object({
  pair: z.object({ accessToken: z.string(), refreshToken: z.string() }),
  access: AccessToken.pick({ scopes: true, expiresAt: true }),
});

/** What a refresh token was exchanged for. */
export interface Successor {
  pair: TokenPair;
  access: Pick<AccessToken, 'scopes' | 'expiresAt'>;
}

/**
 * Seals what a refresh token was exchanged for, so that nobody but its holder can open it: the table
 * has the token's hash alone, and the key is made of the token.
 */
export function sealSuccessor(token: string, tokenHash: string, successor: Successor): Buffer {
  return sealBytes(sealOf(token, tokenHash), JSON.stringify(successor));
}

/** What this token was exchanged for. */
export function openSuccessor(token: string, tokenHash: string, sealed: Uint8Array): Successor {
  const plain = unsealBytes(sealOf(token, tokenHash), sealed);
  return Successor.parse(JSON.parse(plain.toString('utf8')));
}

/** HKDF (RFC 5869) without a salt: a token has 256 random bits. */
function sealOf(token: string, tokenHash: string): Seal {
  const key = Buffer.from(hkdfSync('sha256', token, '', 'slipway oauth successor', 32));
  return { key, context: tokenHash };
}

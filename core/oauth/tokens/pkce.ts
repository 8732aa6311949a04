import { createHash, timingSafeEqual } from 'node:crypto';

/** Whether a text can be the S256 challenge of a verifier: a SHA-256 in base64url (RFC 7636 §4.2). */
export function isChallenge(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

/** Whether a verifier is the one that a challenge was made from; compared in constant time. */
export function provesChallenge(verifier: string, challenge: string): boolean {
  if (!/^[\w.~-]{43,128}$/.test(verifier)) return false;
  const made = createHash('sha256').update(verifier).digest();
  const wanted = Buffer.from(challenge, 'base64url');
  return wanted.length === made.length && timingSafeEqual(made, wanted);
}

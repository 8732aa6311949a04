import { createHash, timingSafeEqual } from 'node:crypto';

/** Whether a text has the form of an S256 challenge: a SHA-256 hash in base64url (RFC 7636 §4.2). */
export function isChallenge(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

/** Whether a verifier matches a challenge; compared in constant time. */
export function matchesChallenge(verifier: string, challenge: string): boolean {
  if (!/^[\w.~-]{43,128}$/.test(verifier)) return false;
  const made = createHash('sha256').update(verifier).digest();
  const expected = Buffer.from(challenge, 'base64url');
  return expected.length === made.length && timingSafeEqual(made, expected);
}

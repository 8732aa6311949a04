import { createHmac, timingSafeEqual } from 'node:crypto';
import { type RotatingSecret, secretTag } from '../../secrets/rotating-secret.ts';

/** Which code of which address. */
export interface CodeName {
  email: string;
  nonce: string;
}

/**
 * The six digits, made anew from secret, address and nonce: the same code can be sent again, and
 * whoever reads the table cannot compute it.
 */
export function digitsOf(secret: RotatingSecret, { email, nonce }: CodeName): string {
  const mac = createHmac('sha256', valueFor(secret, nonce)).update(`${nonce}\n${email}`).digest();
  // 48 bits modulo a million: no digit is noticeably likelier than another.
  return String(mac.readUIntBE(0, 6) % 1_000_000).padStart(6, '0');
}

/** What a network gets that requested the code, so that its client is known elsewhere too. */
export function attemptTokenOf(
  secret: RotatingSecret,
  { email, nonce }: CodeName,
  network: string,
) {
  return createHmac('sha256', valueFor(secret, nonce))
    .update(`attempt\n${nonce}\n${email}\n${network}`)
    .digest('base64url');
}

/** No vowels, so that no word comes of it, and no `l`, which looks like a 1. */
const letters = 'bcdfghjkmnpqrstvwxyz';
const longCodeLetters = 24;

/**
 * The long code of the same mail, `bcdf-ghjk-…`: 103 bits, so that nobody guesses it. Whoever has
 * it has read the mail, and no limit that strangers could use up stands in their way.
 */
export function longCodeOf(secret: RotatingSecret, { email, nonce }: CodeName): string {
  const mac = createHmac('sha256', valueFor(secret, nonce))
    .update(`long\n${nonce}\n${email}`)
    .digest();
  const text = [...mac.subarray(0, longCodeLetters)]
    .map((byte) => letters[byte % letters.length])
    .join('');
  return (text.match(/.{4}/g) ?? []).join('-');
}

/** A long code as it is in the mail, however it was copied; undefined for anything else. */
export function readLongCode(text: string): string | undefined {
  const plain = text.toLowerCase().replaceAll(/[\s-]/g, '');
  if (plain.length !== longCodeLetters || /[^a-z]/.test(plain)) return undefined;
  return (plain.match(/.{4}/g) ?? []).join('-');
}

/** Compares in constant time. */
export function sameText(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/**
 * The value of the secret that a nonce was made under, so that exactly one code is right while the
 * secret is replaced; the current one where that is gone.
 */
function valueFor({ accepted, current }: RotatingSecret, nonce: string): string {
  return accepted.find((value) => nonce.startsWith(`${secretTag(value)}.`)) ?? current;
}

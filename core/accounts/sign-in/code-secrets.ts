import { createHmac, timingSafeEqual } from 'node:crypto';
import { type RotatingSecret, secretTag } from '../../secrets/rotating-secret.ts';

/** Identifies one code of one e-mail address. */
export interface CodeIdentity {
  email: string;
  nonce: string;
}

/**
 * The six digits, computed from secret, address and nonce. The same code can be sent again, and a
 * reader of the table cannot compute it.
 */
export function makeDigits(secret: RotatingSecret, { email, nonce }: CodeIdentity): string {
  const mac = createHmac('sha256', secretForNonce(secret, nonce))
    .update(`${nonce}\n${email}`)
    .digest();
  // 48 bits modulo a million have no noticeable bias.
  return String(mac.readUIntBE(0, 6) % 1_000_000).padStart(6, '0');
}

/** The token for the network that requested the code; it identifies the client after a change of network. */
export function makeAttemptToken(
  secret: RotatingSecret,
  { email, nonce }: CodeIdentity,
  network: string,
) {
  return createHmac('sha256', secretForNonce(secret, nonce))
    .update(`attempt\n${nonce}\n${email}\n${network}`)
    .digest('base64url');
}

/** Without vowels, so that codes do not spell words, and without `l`, which looks like a 1. */
const letters = 'bcdfghjkmnpqrstvwxyz';
const longCodeLetters = 24;

/**
 * The long code of the same mail, `bcdf-ghjk-…`: 103 bits, which cannot be guessed. It proves that
 * the mail was read, so limits that strangers can use up do not apply to it.
 */
export function makeLongCode(secret: RotatingSecret, { email, nonce }: CodeIdentity): string {
  const mac = createHmac('sha256', secretForNonce(secret, nonce))
    .update(`long\n${nonce}\n${email}`)
    .digest();
  return inGroups(asLetters(mac.subarray(0, longCodeLetters)));
}

/** A letter for each byte: 4.3 bits of it. */
export function asLetters(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => letters[byte % letters.length]).join('');
}

/** `bcdf-ghjk-…`, as a mail shows a long code. */
export function inGroups(text: string): string {
  return (text.match(/.{4}/g) ?? []).join('-');
}

/** Normalises a long code (spaces, case, hyphens); undefined for any other text. */
export function readLongCode(text: string): string | undefined {
  const plain = text.toLowerCase().replaceAll(/[\s-]/g, '');
  if (plain.length !== longCodeLetters || /[^a-z]/.test(plain)) return undefined;
  return inGroups(plain);
}

/** Compares in constant time. */
export function isSameText(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/**
 * The value of the secret with which a nonce was created, so that exactly one code is correct
 * during a rotation; the current value if that one is gone.
 */
function secretForNonce({ accepted, current }: RotatingSecret, nonce: string): string {
  return accepted.find((value) => nonce.startsWith(`${secretTag(value)}.`)) ?? current;
}

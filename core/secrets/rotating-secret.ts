import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/**
 * A secret that can be replaced while requests run. At most three values are accepted: the current
 * one, the previous one, and the next one, which other processes may sign with slightly earlier. Read
 * the fields at each use: they change.
 */
export interface RotatingSecret {
  /** Signs. */
  readonly current: string;
  /** Verify signatures; the current value first. */
  readonly accepted: readonly string[];
}

/** Whether a signature was made with one of the accepted values; compared in constant time. */
export function isSignedWith(
  { accepted }: RotatingSecret,
  signature: string,
  sign: (value: string) => string,
): boolean {
  const given = digest(signature);
  return accepted.map((value) => timingSafeEqual(given, digest(sign(value)))).includes(true);
}

/** What is signed; it separates signatures that use the same secret. */
type Purpose =
  | 'access'
  | 'cleared'
  | 'clearing'
  | 'consent'
  | 'mail-stop'
  | 'own-file'
  | 'owner-link'
  | 'preview';

/** The signature of a text for one purpose: HMAC-SHA256, 43 characters. */
export function signatureOf({ current }: RotatingSecret, purpose: Purpose, text: string): string {
  return sign(current, purpose, text);
}

/** Whether one of the accepted values signed this text for this purpose. */
export function isSignatureOf(
  secret: RotatingSecret,
  purpose: Purpose,
  text: string,
  signature: string,
): boolean {
  return isSignedWith(secret, signature, (value) => sign(value, purpose, text));
}

function sign(value: string, purpose: Purpose, text: string): string {
  return createHmac('sha256', value).update(`${purpose}\n${text}`).digest('base64url');
}

/** A short tag that identifies a value of a secret without revealing it: values are long and random. */
export function secretTag(value: string): string {
  return createHash('sha256').update(`tag\n${value}`).digest('base64url').slice(0, 6);
}

/** Gives both sides of the comparison the same length. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

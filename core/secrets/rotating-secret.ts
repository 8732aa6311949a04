import { createHash, timingSafeEqual } from 'node:crypto';

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

/** A short tag that identifies a value of a secret without revealing it: values are long and random. */
export function secretTag(value: string): string {
  return createHash('sha256').update(`tag\n${value}`).digest('base64url').slice(0, 6);
}

/** Gives both sides of the comparison the same length. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

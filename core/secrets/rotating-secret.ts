import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * A secret that can be replaced while requests run. Three values are accepted at most: the current
 * one, the one before, and the one that comes next, which others may sign with a moment before this
 * process does. Read it anew for each use: both fields change.
 */
export interface RotatingSecret {
  /** What new signatures are made with. */
  readonly current: string;
  /** What signatures may have been made with, the current value first. */
  readonly accepted: readonly string[];
}

/** A secret that never changes. */
export function fixedSecret(value: string): RotatingSecret {
  return { current: value, accepted: [value] };
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

/** Tells the values of a secret apart; says nothing of them, as they are long and random. */
export function secretTag(value: string): string {
  return createHash('sha256').update(`tag\n${value}`).digest('base64url').slice(0, 6);
}

/** Equal lengths for the comparison, whatever was sent. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** What stands for a hash before the extension, also before two (`app.B_Sbv6Hq.lean.js`). */
const eight = /[.-]([A-Za-z0-9_-]{8})(?:\.[a-z]{1,5})?\.[a-z0-9]+$/;
const hexadecimal = /[.-]([0-9a-f]{8,64})(?:\.[a-z]{1,5})?\.[a-z0-9]+$/;

/**
 * Whether a build has put a hash of the content into a file's name, as bundlers write it: eight
 * letters of base64url (Vite, Rollup) or base32 (esbuild), or hexadecimal digits (webpack, Parcel).
 *
 * A word or a date that only looks like one would be kept for a year after it has changed, so that
 * one hash in twenty is rather taken for a word.
 */
export function hasHashedName(path: string): boolean {
  return isHexadecimal(tokenOf(hexadecimal, path)) || isEight(tokenOf(eight, path));
}

function tokenOf(shape: RegExp, path: string): string {
  return shape.exec(path)?.[1] ?? '';
}

function isHexadecimal(token: string): boolean {
  return /\d/.test(token) && /[a-f]/.test(token);
}

function isEight(token: string): boolean {
  const upper = token.match(/[A-Z]/g)?.length ?? 0;
  if (upper === 0) return false;
  if (/^[A-Z2-7]+$/.test(token)) return upper < token.length;
  return /[a-z]/.test(token) && (upper > 2 || /\d/.test(token));
}

import { createHash, randomBytes, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomCharacters = 43;
const checksumCharacters = 6;

/** A new secret: `start`, 256 random bits in base 62, and a checksum for scanners and typos. */
export function newSecretText(start: string): string {
  const random = Array.from({ length: randomCharacters }, () => alphabet[randomInt(62)]).join('');
  const body = `${start}${random}`;
  return body + base62Checksum(body);
}

/** A new token: 256 random bits as base64url. Only its hash is ever stored. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Whether a text can be a secret with this start at all; decided without a read. */
export function isSecretText(text: string, start: string): boolean {
  const body = text.slice(0, -checksumCharacters);
  return (
    body.startsWith(start) &&
    body.length === start.length + randomCharacters &&
    /^[0-9A-Za-z]+$/.test(text.slice(start.length)) &&
    text === body + base62Checksum(body)
  );
}

/**
 * SHA-256, hexadecimal: the stored form, used for lookups. A secret has 256 random bits, so it
 * needs no salt.
 */
export function hashSecretText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The CRC-32 of a text in base 62. Our keys end with it, as do those of other services. */
export function base62Checksum(text: string): string {
  let left = crc32(text);
  let digits = '';
  for (let place = 0; place < checksumCharacters; place += 1) {
    digits = (alphabet[left % 62] ?? '') + digits;
    left = Math.floor(left / 62);
  }
  return digits;
}
